import { addresses, levelAddress } from '#web/addresses.ts';
import { goBack, navigate, Redirect } from '#web/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LayersIcon } from '#web/ui/icons.tsx';
import { Column } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { LevelHead } from './level-head.tsx';
import { failure, loading } from './sentences.ts';
import { ServiceRows } from './service-lists.tsx';
import { useCatalogue } from './use-catalogue.ts';
import { useLevel } from './use-level.ts';
import { useOpen } from './use-open.ts';

/** The children of a service; `ids` are those from the root down to it. */
export default function LevelScreen({ ids }: { ids: number[] }) {
  const catalogue = useCatalogue({ wanted: false });
  const { trail, known, level, isGone } = useLevel(ids, catalogue.data);
  const open = useOpen();
  if (isGone) return <Redirect to={addresses.home} />;
  const up = () => goBack(levelAddress(ids.slice(0, -1)));
  return (
    <Column wide>
      <LevelHead trail={trail} onOpen={(depth) => navigate(levelAddress(ids.slice(0, depth)))} onBack={up} />
      <QueryState query={level} loading={loading} failure={failure}>
        {(services) =>
          services.length === 0 ? (
            <EmptyState Icon={LayersIcon} title="Aucun service disponible à ce niveau.">
              <Button variant="plain" onClick={up}>
                Retour
              </Button>
            </EmptyState>
          ) : (
            <ServiceRows services={services} onSelect={(service) => open([...known, service])} />
          )
        }
      </QueryState>
    </Column>
  );
}

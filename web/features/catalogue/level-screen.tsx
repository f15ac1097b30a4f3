import type { Service } from '#contract/catalogue.ts';
import { addresses, levelAddress } from '#web/addresses.ts';
import { ServiceRow } from '#web/catalogue/service-card.tsx';
import { goBack, navigate, Redirect } from '#web/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LayersIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { BackButton, Column, useHeadingFocus } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { oneColumn } from './limits.ts';
import { RowList } from './service-lists.tsx';
import { childrenIn, failure, loading, useCatalogue, useOpen } from './use-catalogue.ts';

/** The children of a service; `ids` are those from the root down to it. */
export default function LevelScreen({ ids }: { ids: number[] }) {
  const catalogue = useCatalogue({ wanted: true });
  const open = useOpen();
  const trail = ids.map((id) => catalogue.data?.find((service) => service.id === id));
  const path = trail.filter((service) => service !== undefined);
  const isWhole = path.length === ids.length;
  if (catalogue.data && !catalogue.isKept && !isWhole) return <Redirect to={addresses.home} />;
  const level = {
    ...catalogue,
    data: isWhole ? childrenIn(catalogue.data, ids.at(-1)) : undefined,
    // An earlier visit's catalogue may lack a newer service.
    isPending: !catalogue.isError,
  };
  const up = () => goBack(levelAddress(ids.slice(0, -1)));
  return (
    <Column wide={(level.data?.length ?? 0) > oneColumn}>
      <LevelHead trail={trail} onOpen={(depth) => navigate(levelAddress(ids.slice(0, depth)))} onBack={up} />
      <QueryState
        query={level}
        loading={loading}
        failure={failure}
        empty={
          <EmptyState
            Icon={LayersIcon}
            title="Aucun service disponible à ce niveau."
            text="Choisissez un autre service."
          >
            <Button onClick={up}>Retour</Button>
          </EmptyState>
        }
      >
        {(services) => (
          <RowList single={services.length <= oneColumn}>
            {services.map((service) => (
              <ServiceRow key={service.id} service={service} onSelect={() => open([...path, service])} />
            ))}
          </RowList>
        )}
      </QueryState>
    </Column>
  );
}

/** The current level and the path to it, on one line of the column: the names in its middle give way first. */
function LevelHead({
  trail,
  onOpen,
  onBack,
}: {
  trail: (Service | undefined)[];
  /** Opens the level at that depth; 0 is the top. */
  onOpen: (depth: number) => void;
  onBack: () => void;
}) {
  const above = ['Accueil', ...trail.slice(0, -1).map((service) => service?.name ?? '…')];
  const last = above.length - 1;
  const name = trail.at(-1)?.name ?? '…';
  const heading = useHeadingFocus(name);
  return (
    <>
      <title>{`${name} - Services · Guichet`}</title>
      <div className="flex min-h-12 items-center gap-1">
        <BackButton onClick={onBack} className="-ml-3" />
        <h1 {...heading} className="wrap-anywhere min-w-0 flex-1 font-bold text-large leading-tight outline-none">
          <span>{name}</span> <span className="font-normal text-small text-soft">- Services</span>
        </h1>
      </div>
      <nav aria-label="Fil d'Ariane" className="-mx-1.5 -mt-2">
        <ol className="flex items-center">
          {above.map((each, depth) => (
            <li
              // A level is identified by its depth.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              key={depth}
              className={join('flex items-center', depth > 0 && 'min-w-11', depth > 0 && depth < last && 'shrink-999')}
            >
              {depth > 0 && (
                <span className="text-edge text-body" aria-hidden="true">
                  /
                </span>
              )}
              <button
                type="button"
                title={each}
                className="min-h-11 min-w-0 truncate px-1.5 text-leaf text-body -outline-offset-4 hover:underline"
                onClick={() => onOpen(depth)}
              >
                {each}
              </button>
            </li>
          ))}
        </ol>
      </nav>
    </>
  );
}

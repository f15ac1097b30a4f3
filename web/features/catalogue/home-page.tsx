import { useQueries } from '@tanstack/react-query';
import { listServices, type Service } from '#contract/catalogue.ts';
import { initData } from '#contract/init-data.ts';
import { addresses, levelAddress, readLevel } from '#web/addresses.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { startOrderDraft } from '#web/order-draft.ts';
import { goBack, navigate, Redirect, useSearch } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LayersIcon } from '#web/ui/icons.tsx';
import { Column, useHeadingFocus } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { LevelHead } from './level-head.tsx';
import { ServiceGrid, ServiceRows } from './service-lists.tsx';

/** The level that is open, from the address, and the way to another. */
function useOpenLevel() {
  return { ids: readLevel(useSearch()), open: (ids: number[]) => navigate(levelAddress(ids)) };
}

export function HomePage() {
  const call = useCall();
  const { user } = useAuth();
  const { ids, open } = useOpenLevel();
  const toast = useToast();
  useEndpoint(initData, { body: {} });
  const parents = useQueries({
    queries: ids.map((_, index) => {
      const query = index === 0 ? {} : { parentId: String(ids[index - 1]) };
      return {
        queryKey: [listServices.path, user?.id, { query }],
        queryFn: () => call(listServices, { query }),
        staleTime: freshForMs.services,
      };
    }),
  });
  const trail = ids.map((id, index) => parents[index]?.data?.find((service) => service.id === id));
  const known = trail.filter((service) => service !== undefined);
  /** A level above that is not there yet: without it the way down would have a hole. */
  const missing = parents.find((parent) => parent.data === undefined);
  const here = ids.at(-1);
  const level = useEndpoint(
    listServices,
    { query: here === undefined ? {} : { parentId: String(here) } },
    { freshForMs: freshForMs.services },
  );

  const greeting = `Bonjour ${user?.isGuest ? 'Invité' : user?.firstName}`;
  const heading = useHeadingFocus(here === undefined ? greeting : '');

  const select = (service: Service) => {
    if (!service.isFinalLevel) return open([...ids, service.id]);
    startOrderDraft([...known, service]);
    toast({ title: 'Service sélectionné', description: service.name });
    navigate(addresses.summary);
  };
  if (!missing && known.length < ids.length) return <Redirect to={addresses.home} />;
  const up = () => goBack(levelAddress(ids.slice(0, -1)));

  return (
    <Column wide>
      {here === undefined ? (
        <>
          <h1 {...heading} className="wrap-anywhere font-bold text-2xl outline-none">
            {greeting}
          </h1>
          <p className="mt-1 mb-6 text-soft">Que souhaitez-vous faire aujourd’hui ?</p>
          <h2 className="mb-3 font-bold text-lg">Nos Services</h2>
        </>
      ) : (
        <LevelHead trail={trail} onOpen={(depth) => open(ids.slice(0, depth))} onBack={up} />
      )}
      <QueryState
        query={missing ? { ...missing, data: undefined } : level}
        loading="Chargement des services..."
        skeleton={<SkeletonRows text="Chargement des services..." />}
        failure="Impossible de charger les services."
      >
        {(services) => {
          if (services.length === 0)
            return (
              <EmptyState Icon={LayersIcon} title="Aucun service disponible à ce niveau.">
                {here !== undefined && (
                  <Button variant="plain" onClick={up}>
                    Retour
                  </Button>
                )}
              </EmptyState>
            );
          return here === undefined ? (
            <ServiceGrid services={services} onSelect={select} />
          ) : (
            <ServiceRows services={services} onSelect={select} />
          );
        }}
      </QueryState>
    </Column>
  );
}

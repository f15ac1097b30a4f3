import { useQueries } from '@tanstack/react-query';
import { Redirect, useLocation, useSearch } from 'wouter';
import { listServices, type Service } from '#contract/catalogue.ts';
import { initData } from '#contract/init-data.ts';
import { useAuth } from '#web/api/session.tsx';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { choosePath } from '#web/chosen-path.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Column, useHeadingFocus } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { LevelHead } from './level-head.tsx';
import { ServiceGrid, ServiceRows } from './service-lists.tsx';

/** Milliseconds before an opened level is asked for again: prices do change. */
const freshFor = 5 * 60_000;

/** `/?dans=1,4` shows what service 4, under service 1, contains; so the phone's back button goes up a level. */
function useOpenLevels() {
  const [, navigate] = useLocation();
  const opened = (new URLSearchParams(useSearch()).get('dans') ?? '').split(',').filter((id) => /^\d+$/.test(id));
  const ids = opened.map(Number);
  return {
    ids,
    open: (path: number[]) => navigate(path.length > 0 ? `${paths.home}?dans=${path.join(',')}` : paths.home),
  };
}

export function HomePage() {
  const { user, call } = useAuth();
  const { ids, open } = useOpenLevels();
  const [, navigate] = useLocation();
  const toast = useToast();
  useEndpoint(initData, { body: {} });
  const parents = useQueries({
    queries: ids.map((_, index) => {
      const query = index === 0 ? {} : { parentId: String(ids[index - 1]) };
      return {
        queryKey: [listServices.path, user?.id, { query }],
        queryFn: () => call(listServices, { query }),
        staleTime: freshFor,
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
    { freshFor },
  );

  const greeting = `Bonjour ${user?.isGuest ? 'Invité' : user?.firstName}`;
  const heading = useHeadingFocus(here === undefined ? greeting : '');

  const select = (service: Service) => {
    if (!service.isFinalLevel) return open([...ids, service.id]);
    choosePath([...known, service]);
    toast({ title: 'Service sélectionné', description: service.name });
    navigate(paths.summary);
  };
  if (!missing && known.length < ids.length) return <Redirect to={paths.home} replace />;
  const up = () => open(ids.slice(0, -1));

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
        failure="Impossible de charger les services."
      >
        {(services) => {
          if (services.length === 0)
            return (
              <EmptyState picture="🗂️" title="Aucun service disponible à ce niveau.">
                {here !== undefined && (
                  <Button look="plain" onClick={up}>
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

import { listAllServices } from '#contract/catalogue.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { Catalogue } from './catalogue.tsx';

/** The catalogue of services, to be written. */
export default function ServicesTab() {
  const query = useEndpoint(listAllServices, {}, { pollEveryMs: pollEveryMs.adminServices });
  return (
    <QueryState query={query} loading="Chargement des services..." failure="Impossible de charger les services.">
      {(services) => <Catalogue services={services} />}
    </QueryState>
  );
}

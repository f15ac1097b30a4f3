import { listAllServices, type Service } from '#contract/catalogue.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { Badge } from '#web/ui/badge.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ForwardIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { PageTitle } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';

type Children = Map<number | null, Service[]>;

/** `Map.groupBy` is younger than the oldest browsers served. */
function groupByParent(services: Service[]): Children {
  const children: Children = new Map();
  for (const service of services) {
    const siblings = children.get(service.parentId);
    if (siblings) siblings.push(service);
    else children.set(service.parentId, [service]);
  }
  return children;
}

export default function ServicesTab() {
  const query = useEndpoint(listAllServices, {}, { pollEveryMs: pollEveryMs.adminServices });
  return (
    <>
      <PageTitle>Gestion Hiérarchique des Services</PageTitle>
      <QueryState query={query} loading="Chargement des services..." failure="Impossible de charger les services.">
        {(services) => {
          if (services.length === 0) return <EmptyState picture="🗂️" title="Aucun service disponible" />;
          const children = groupByParent(services);
          return <Branch services={children.get(null) ?? []} childrenOf={children} />;
        }}
      </QueryState>
    </>
  );
}

function Branch({ services, childrenOf }: { services: Service[]; childrenOf: Children }) {
  return (
    <ul className="flex flex-col gap-2">
      {services.map((service) => {
        const children = childrenOf.get(service.id) ?? [];
        return (
          <li key={service.id}>
            {children.length > 0 ? (
              <details>
                <summary
                  className={join(
                    cardClass,
                    'flex min-h-14 cursor-pointer list-none items-center [&::-webkit-details-marker]:hidden gap-2 p-3',
                  )}
                >
                  <ForwardIcon className="size-5 shrink-0 text-leaf transition-transform [details[open]>summary>&]:rotate-90" />
                  <Node service={service} />
                </summary>
                <div className="mt-2 border-line border-l-2 pl-2 sm:ml-4 sm:pl-3">
                  <Branch services={children} childrenOf={childrenOf} />
                </div>
              </details>
            ) : (
              <div className={join(cardClass, 'flex min-h-14 items-center p-3 pl-10')}>
                <Node service={service} />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Node({ service }: { service: Service }) {
  return (
    <div className="min-w-0 flex-1">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-semibold">{service.name}</span>
        <Badge>Niveau {service.level}</Badge>
        {service.isFinalLevel && <Badge tone="green">Service final</Badge>}
        {!service.isVisible && <Badge tone="amber">Masqué</Badge>}
      </div>
      {service.description && <p className="mt-0.5 text-soft text-sm">{service.description}</p>}
      {service.phoneNumber && <p className="mt-0.5 break-all font-mono text-sm">{service.phoneNumber}</p>}
    </div>
  );
}

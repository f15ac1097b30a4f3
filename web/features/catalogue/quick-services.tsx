import type { Service } from '#contract/catalogue.ts';
import { findCountry } from '#contract/phone.ts';
import type { Ticket } from '#contract/tickets.ts';
import type { ServicePath } from '#web/catalogue/search-services.ts';
import { ServiceRow } from '#web/catalogue/service-card.tsx';
import { usedShown } from './limits.ts';
import { suggestServices, usedServices } from './own-orders.ts';
import { RowList } from './service-lists.tsx';

/** Services one tap away: those that a person uses, or to a newcomer one of each family, of their country if it can be. */
export function QuickServices({
  tickets,
  offered,
  catalogue,
  countryCode,
  onOpen,
}: {
  /** Newest first; none of a newcomer. */
  tickets: readonly Ticket[];
  /** The services that are offered again above. */
  offered: ReadonlySet<number | undefined>;
  catalogue: Service[];
  countryCode: string;
  onOpen: (path: ServicePath) => void;
}) {
  const used = usedServices(tickets, catalogue, usedShown);
  const isNew = tickets.length === 0;
  const paths = isNew ? suggestServices(catalogue, findCountry(countryCode)?.name ?? '', usedShown) : used.paths;
  if (paths.every((path) => offered.has(path.at(-1)?.id))) return null;
  return (
    <section className="mt-4">
      <h2 className="mb-1.5 font-bold text-soft text-sm">
        {isNew ? 'Accès rapide' : used.isRepeated ? 'Les plus utilisés' : 'Utilisés récemment'}
      </h2>
      <RowList>
        {paths.map((path) => (
          <ServiceRow
            key={path.at(-1)?.id}
            service={path.at(-1) as Service}
            // Without the family, which says little about a known service.
            path={path.slice(1, -1).map(({ name }) => name)}
            onSelect={() => onOpen(path)}
          />
        ))}
      </RowList>
    </section>
  );
}

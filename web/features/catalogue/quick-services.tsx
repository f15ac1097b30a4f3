import type { Service } from '#contract/catalogue.ts';
import { findCountry } from '#contract/phone.ts';
import { ServiceRow } from '#web/catalogue/service-card.tsx';
import type { ServicePath } from '#web/catalogue/service-paths.ts';
import { suggestedShown } from './limits.ts';
import { suggestServices } from './own-orders.ts';
import { headingClass, RowList } from './service-lists.tsx';

/** To a newcomer the service most asked for of each family, one tap away, of their country if it can be. */
export function QuickServices({
  catalogue,
  countryCode,
  onOpen,
}: {
  catalogue: Service[];
  countryCode: string;
  onOpen: (path: ServicePath) => void;
}) {
  const paths = suggestServices(catalogue, findCountry(countryCode)?.name ?? '', suggestedShown);
  if (paths.length === 0) return null;
  return (
    <section className="mt-5">
      <h2 className={headingClass}>
        {paths.some((path) => path.at(-1)?.demand) ? 'Souvent demandés' : 'Accès rapide'}
      </h2>
      <RowList inFamilies>
        {paths.map((path) => (
          <ServiceRow
            key={path.at(-1)?.id}
            service={path.at(-1) as Service}
            // Without the family, which says little about a known service, unless nothing else is above it.
            path={(path.length > 2 ? path.slice(1, -1) : path.slice(0, 1)).map(({ name }) => name)}
            onSelect={() => onOpen(path)}
          />
        ))}
      </RowList>
    </section>
  );
}

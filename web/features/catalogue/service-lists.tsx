import { Children, type ReactNode } from 'react';
import type { Service } from '#contract/catalogue.ts';
import { ServiceCard, ServiceRow } from '#web/catalogue/service-card.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';

interface Props {
  services: Service[];
  onSelect: (service: Service) => void;
}

const gridClass =
  'grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(7.5rem,34%)),1fr))] gap-2 md:grid-cols-3 md:gap-3 lg:grid-cols-4';

/** The families: 2, 3 or 4 per row; 1 on a phone with twice the text size. */
export function ServiceGrid({ services, onSelect }: Props) {
  return (
    <ul className={gridClass}>
      {services.map((service) => (
        <li key={service.id} className="flex">
          <ServiceCard service={service} onSelect={() => onSelect(service)} />
        </li>
      ))}
    </ul>
  );
}

/** A placeholder of the families, with a sentence. */
export function GridSkeleton({ text }: { text: string }) {
  return (
    <div role="status">
      <ul className={join(gridClass, 'breathe')} aria-hidden="true">
        {[0, 1, 2, 3].map((place) => (
          <li key={place} className={join(cardClass, 'flex min-h-25 flex-col gap-2 p-2.5')}>
            <span className="size-9 rounded-xl bg-line" />
            <span className="h-3.5 w-2/3 rounded bg-line" />
            <span className="h-3 w-2/5 rounded bg-line" />
          </li>
        ))}
      </ul>
      <p className="mt-2 text-center text-soft text-sm">{text}</p>
    </div>
  );
}

/** Rows in one card, divided by lines; two per line on a desktop, and an odd last one as wide as two. */
export function RowList({ children }: { children: ReactNode }) {
  return (
    <ul className={join(cardClass, 'grid overflow-hidden lg:grid-cols-2')}>
      {Children.map(children, (child) => (
        <li className="-mb-px flex border-line border-b lg:odd:border-r lg:odd:last:col-span-2 lg:odd:last:border-r-0">
          {child}
        </li>
      ))}
    </ul>
  );
}

/** The children of a service, one per row. */
export function ServiceRows({ services, onSelect }: Props) {
  return (
    <RowList>
      {services.map((service) => (
        <ServiceRow key={service.id} service={service} onSelect={() => onSelect(service)} />
      ))}
    </RowList>
  );
}

import type { Service } from '#contract/catalogue.ts';
import { ServiceCard, ServiceRow } from '#web/catalogue/service-card.tsx';

interface Props {
  services: Service[];
  onSelect: (service: Service) => void;
}

/** The families: 2, 3 or 4 to a row; on a phone with twice the text size, 1. */
export function ServiceGrid({ services, onSelect }: Props) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(7.5rem,34%)),1fr))] gap-3 md:grid-cols-3 lg:grid-cols-4">
      {services.map((service) => (
        <li key={service.id} className="flex">
          <ServiceCard service={service} onSelect={() => onSelect(service)} />
        </li>
      ))}
    </ul>
  );
}

/** What a service contains, one to a row. */
export function ServiceRows({ services, onSelect }: Props) {
  return (
    <ul className="grid gap-2.5 lg:grid-cols-2">
      {services.map((service) => (
        <li key={service.id} className="flex">
          <ServiceRow service={service} onSelect={() => onSelect(service)} />
        </li>
      ))}
    </ul>
  );
}

import type { Service } from '#contract/catalogue.ts';
import { cardClass } from '#web/ui/card.tsx';
import { ForwardIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { ServicePicture, serviceNameStyle, serviceTextStyle } from './service-text.tsx';

interface Props {
  services: Service[];
  onSelect: (service: Service) => void;
}

const pressable = 'text-left transition-colors hover:border-leaf hover:bg-leaf-pale/40';

/** The families: 2, 3 or 4 to a row; on a phone with twice the text size, 1. */
export function ServiceGrid({ services, onSelect }: Props) {
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,max(7.5rem,34%)),1fr))] gap-3 md:grid-cols-3 lg:grid-cols-4">
      {services.map((service) => (
        <li key={service.id} className="flex">
          <button
            type="button"
            onClick={() => onSelect(service)}
            className={join(cardClass, pressable, 'wrap-anywhere flex w-full flex-col items-start gap-2 p-4')}
            style={serviceTextStyle(service)}
          >
            <ServicePicture service={service} size="big" />
            <span className="leading-snug" style={serviceNameStyle(service)}>
              {service.name}
            </span>
            {service.description && (
              <span className="line-clamp-2 text-[0.93em] leading-snug">{service.description}</span>
            )}
            {service.price && <span className="font-semibold text-leaf">{service.price}</span>}
            {!service.isFinalLevel && (
              <span className="mt-auto flex items-center gap-1 pt-1 font-semibold text-leaf">
                Explorer les services <ForwardIcon className="size-4 shrink-0" />
              </span>
            )}
          </button>
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
          <button
            type="button"
            onClick={() => onSelect(service)}
            className={join(cardClass, pressable, 'wrap-anywhere flex w-full items-center gap-3.5 p-3.5')}
            style={serviceTextStyle(service)}
          >
            <ServicePicture service={service} size="small" />
            <span className="min-w-0 flex-1">
              <span className="block leading-snug" style={serviceNameStyle(service)}>
                {service.name}
              </span>
              {service.description && (
                <span className="mt-0.5 block text-[0.93em] leading-snug">{service.description}</span>
              )}
              {service.price && <span className="mt-1 block font-semibold text-leaf">{service.price}</span>}
            </span>
            <ForwardIcon className="size-5 shrink-0 text-leaf" />
          </button>
        </li>
      ))}
    </ul>
  );
}

import type { Service } from '#contract/catalogue.ts';
import { cardClass } from '#web/ui/card.tsx';
import { ChevronIcon, ForwardIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { ServicePicture, serviceStrokeStyle, serviceTextStyle } from './service-text.tsx';

/** What of a service its card shows. */
export type ShownService = Pick<
  Service,
  'name' | 'description' | 'price' | 'pictureUrl' | 'isFinalLevel' | 'textSize' | 'textColor' | 'textStyle'
>;

interface Props {
  service: ShownService;
  onSelect: () => void;
}

const pressable = 'text-left transition-colors hover:border-leaf hover:bg-leaf-pale/40';

/** A family, as it stands on the first level. */
export function ServiceCard({ service, onSelect }: Props) {
  return (
    <button
      type="button"
      onClick={onSelect}
      className={join(cardClass, pressable, 'wrap-anywhere flex w-full flex-col items-start gap-2 p-4')}
      style={{ ...serviceTextStyle(service), ...serviceStrokeStyle(service) }}
    >
      <ServicePicture service={service} size="big" />
      <span className="leading-snug">{service.name}</span>
      {service.description && <span className="line-clamp-2 leading-snug">{service.description}</span>}
      {service.price && <span>{service.price}</span>}
      {!service.isFinalLevel && (
        <span className="mt-auto flex items-center gap-1 pt-1 font-semibold text-leaf text-sm not-italic">
          Explorer les services <ForwardIcon className="size-4 shrink-0" />
        </span>
      )}
    </button>
  );
}

/** A service, as it stands on every level below. */
export function ServiceRow({ service, onSelect }: Props) {
  return (
    <button
      type="button"
      onClick={onSelect}
      className={join(cardClass, pressable, 'wrap-anywhere flex w-full items-center gap-3.5 p-3.5')}
      style={{ ...serviceTextStyle(service), ...serviceStrokeStyle(service) }}
    >
      <ServicePicture service={service} size="small" />
      <span className="min-w-0 flex-1">
        <span className="block leading-snug">{service.name}</span>
        {service.description && <span className="mt-0.5 block leading-snug">{service.description}</span>}
        {service.price && <span className="mt-1 block">{service.price}</span>}
      </span>
      <ChevronIcon className="size-5 shrink-0 text-leaf" />
    </button>
  );
}

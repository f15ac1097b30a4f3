import { defaultTextColor, type Service } from '#contract/catalogue.ts';
import { cardClass } from '#web/ui/card.tsx';
import { ChevronIcon, ForwardIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { formatPrice, ServicePicture, serviceStrokeStyle, serviceTextStyle } from './service-text.tsx';

/** The fields of a service that its card shows. */
export type ShownService = Pick<
  Service,
  'name' | 'description' | 'price' | 'pictureUrl' | 'isFinalLevel' | 'textSize' | 'textColor' | 'textStyle'
>;

interface Props {
  service: ShownService;
  onSelect: () => void;
}

const pressable = 'wrap-anywhere w-full text-left transition-colors hover:bg-leaf-pale/40';

/** Whether the colour is the default: only then may secondary text be grey, or a price green. */
const isPlain = ({ textColor }: ShownService) => textColor.toUpperCase() === defaultTextColor;

/** A family on the first level. On a phone, four of them take less than half of the screen. */
export function ServiceCard({ service, onSelect }: Props) {
  return (
    <button
      type="button"
      onClick={onSelect}
      className={join(
        cardClass,
        pressable,
        'flex flex-col items-start px-[min(0.625rem,2.5vw)] py-2 leading-tight hover:border-leaf md:gap-1 md:p-4',
      )}
      style={{ ...serviceTextStyle(service), ...serviceStrokeStyle(service) }}
    >
      <span className="mb-0.5 flex w-full items-center gap-2 md:mb-0 md:flex-col md:items-start">
        <ServicePicture service={service} size="big" />
        <span className="min-w-0">{service.name}</span>
      </span>
      {service.description && (
        <span className={join('line-clamp-1 md:line-clamp-2', isPlain(service) && 'opacity-75')}>
          {service.description}
        </span>
      )}
      {service.price && <span>{formatPrice(service.price)}</span>}
      {!service.isFinalLevel && (
        <span className="mt-auto pt-0.5 font-bold text-[clamp(0.6875rem,3.4vw,0.8125rem)] text-leaf not-italic">
          Explorer les{' '}
          <span className="whitespace-nowrap">
            services <ForwardIcon className="inline size-3.5 align-text-bottom" />
          </span>
        </span>
      )}
    </button>
  );
}

/** A row that is one button; at twice the text size the words get the space, not the picture. */
export const rowClass = join(
  pressable,
  'flex min-h-15 items-center gap-[min(0.75rem,3.4vw)] px-[min(0.75rem,3.4vw)] py-2 leading-snug -outline-offset-4',
);
export const rowIconClass = 'size-[min(1.25rem,5.6vw)] shrink-0 text-leaf';

/** A service on any lower level; `path`, the names above it, replaces its description. */
export function ServiceRow({ service, path, onSelect }: Props & { path?: string[] }) {
  const price = service.price && (
    <span className={service.isFinalLevel && isPlain(service) ? 'text-leaf' : undefined}>
      {formatPrice(service.price)}
    </span>
  );
  return (
    <button
      type="button"
      onClick={onSelect}
      className={rowClass}
      style={{ ...serviceTextStyle(service), ...serviceStrokeStyle(service) }}
    >
      <ServicePicture service={service} size="small" />
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
        <span className={join('min-w-0 grow', path ? 'basis-24' : 'basis-32')}>
          <span className="block">{service.name}</span>
          {!path && service.description && (
            <span className={join('line-clamp-2', isPlain(service) && 'opacity-75')}>{service.description}</span>
          )}
        </span>
        {price}
        {path && (
          <span className="basis-full font-normal text-soft text-xs leading-snug not-italic">{path.join(' → ')}</span>
        )}
      </span>
      {!(service.isFinalLevel && price) && <ChevronIcon className={rowIconClass} />}
    </button>
  );
}

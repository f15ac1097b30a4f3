import type { Service } from '#contract/catalogue.ts';
import { formatCount, keepUnits, spaceAmount } from '#web/text/formats.ts';
import { cardClass } from '#web/ui/card.tsx';
import { ChevronIcon, ForwardIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { formatPrice, isPlain, ServicePicture, serviceStrokeStyle, serviceTextStyle } from './service-text.tsx';

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

/** A service's name is an eighth larger than its text: 16 px beside the usual 14. */
const nameClass = 'text-[1.143em] leading-tight';

/** A family on the first level; `within` another card it has no border of its own. */
export function ServiceCard({ service, within, onSelect }: Props & { within?: boolean }) {
  return (
    <button
      type="button"
      onClick={onSelect}
      className={join(
        within ? 'rounded-t-card bg-card -outline-offset-4' : join(cardClass, 'hover:border-leaf'),
        pressable,
        !isPlain(service) && 'paper',
        'flex flex-col items-start gap-1 px-[min(0.75rem,2.5vw)] py-2.5 leading-tight md:p-4',
      )}
      style={{ ...serviceTextStyle(service), ...serviceStrokeStyle(service) }}
    >
      <span className="flex w-full flex-col items-start gap-2">
        <ServicePicture service={service} size="big" />
        <span className={join('line-clamp-3 wrap-break-word max-w-full font-bold', nameClass)}>
          {keepUnits(service.name)}
        </span>
      </span>
      {service.description && (
        <span className={join('line-clamp-2', isPlain(service) && 'text-soft')}>{service.description}</span>
      )}
      {service.price && (
        <span className={isPlain(service) ? 'font-semibold text-(--family,var(--color-leaf)) not-italic' : undefined}>
          {formatPrice(service.price)}
        </span>
      )}
      {!service.isFinalLevel && (
        <span className="mt-auto pt-0.5 font-bold text-(--family,var(--color-leaf)) text-[min(var(--text-small),3.75vw)] not-italic">
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

interface RowProps extends Props {
  /** With its commission, in CFA francs, where that is known and more than its price. */
  total?: number | undefined;
  leadsNowhere?: boolean;
  /** Names above it, in place of its description; the price is bold then. */
  path?: string[] | undefined;
  /** All names above it, where the path leaves some out. */
  above?: string[] | undefined;
}

/** A service on any lower level. */
export function ServiceRow({ service, total, leadsNowhere, path, above = path, onSelect }: RowProps) {
  const isCharged = service.isFinalLevel && service.price;
  const price = service.price && (
    <span
      className={join('ml-auto text-right', path && 'lg:row-span-2', isPlain(service) && !isCharged && 'text-soft')}
    >
      <span className={isCharged ? join('block font-bold font-display not-italic', nameClass) : undefined}>
        {isCharged ? spaceAmount(formatPrice(service.price)) : formatPrice(service.price)}
      </span>
      {total !== undefined && (
        <span className={join('block tabular-nums', isPlain(service) && 'text-small text-soft')}>
          soit {formatCount(total)}
          <span className="sr-only"> FCFA avec la commission</span>
        </span>
      )}
    </span>
  );
  return (
    <button
      type="button"
      onClick={onSelect}
      className={join(rowClass, !isPlain(service) && 'paper bg-card')}
      style={{ ...serviceTextStyle(service), ...serviceStrokeStyle(service) }}
    >
      <ServicePicture service={service} above={above} size="small" />
      <span
        className={join(
          'flex min-w-0 flex-1 flex-wrap items-center gap-x-3',
          path && 'lg:grid lg:grid-cols-[1fr_auto]',
        )}
      >
        <span className={join('min-w-0 grow', path ? 'basis-24' : 'basis-32')}>
          <span
            className={join('line-clamp-3 font-semibold', nameClass, leadsNowhere && isPlain(service) && 'text-soft')}
          >
            {keepUnits(service.name)}
          </span>
          {!path && service.description && (
            <span className={join('mt-0.5 line-clamp-2', isPlain(service) && 'text-soft')}>{service.description}</span>
          )}
        </span>
        {price}
        {path && (
          <span className="basis-full font-normal text-small text-soft leading-snug not-italic lg:col-start-1">
            {path.join(' → ')}
          </span>
        )}
      </span>
      {!(service.isFinalLevel && price) && !leadsNowhere && <ChevronIcon className={rowIconClass} />}
    </button>
  );
}

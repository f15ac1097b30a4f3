import { defaultTextColor, type Service } from '#contract/catalogue.ts';
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

const pressable = 'wrap-anywhere w-full text-left transition-colors hover:bg-leaf-pale/40';

/** Whether nobody chose a colour: only then may what is beside the name be quieter, or a price green. */
const isPlain = ({ textColor }: ShownService) => textColor.toUpperCase() === defaultTextColor;

/** A family, as it stands on the first level. On a phone four of them take less than half of the screen. */
export function ServiceCard({ service, onSelect }: Props) {
  return (
    <button
      type="button"
      onClick={onSelect}
      className={join(
        cardClass,
        pressable,
        'flex flex-col items-start p-2 leading-tight hover:border-leaf md:gap-1 md:p-4',
      )}
      style={{ ...serviceTextStyle(service), ...serviceStrokeStyle(service) }}
    >
      <span className="flex w-full items-center gap-2 md:flex-col md:items-start">
        <ServicePicture service={service} size="big" />
        <span className="min-w-0">{service.name}</span>
      </span>
      {service.description && (
        <span className={join('line-clamp-1 md:line-clamp-2', isPlain(service) && 'opacity-75')}>
          {service.description}
        </span>
      )}
      {service.price && <span>{service.price}</span>}
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

/** A service, as it stands on every level below; with `path`, the names above it, in place of its description. */
export function ServiceRow({ service, path, onSelect }: Props & { path?: string[] }) {
  return (
    <button
      type="button"
      onClick={onSelect}
      className={join(pressable, 'flex min-h-15 items-center gap-3 px-3 py-2 leading-snug -outline-offset-4')}
      style={{ ...serviceTextStyle(service), ...serviceStrokeStyle(service) }}
    >
      <ServicePicture service={service} size="small" />
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
        <span className="min-w-0 grow basis-36">
          <span className="block">{service.name}</span>
          {path ? (
            <span className="block font-normal text-soft text-xs not-italic">{path.join(' → ')}</span>
          ) : (
            service.description && (
              <span className={join('line-clamp-2', isPlain(service) && 'opacity-75')}>{service.description}</span>
            )
          )}
        </span>
        {service.price && (
          <span className={service.isFinalLevel && isPlain(service) ? 'text-leaf' : undefined}>{service.price}</span>
        )}
      </span>
      {!(service.isFinalLevel && service.price) && <ChevronIcon className="size-5 shrink-0 text-leaf" />}
    </button>
  );
}

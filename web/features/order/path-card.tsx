import type { Service } from '#contract/catalogue.ts';
import { Card } from '#web/ui/card.tsx';
import { ForwardIcon } from '#web/ui/icons.tsx';

/** The way from the family to the service, and what the service is. */
export function PathCard({ services }: { services: Service[] }) {
  const description = services.at(-1)?.description;
  return (
    <Card>
      <h2 className="sr-only">Service choisi</h2>
      <ol className="flex flex-wrap items-center gap-1.5">
        {services.map((service, index) => (
          <li key={service.id} className="flex items-center gap-1.5">
            {index > 0 && <ForwardIcon className="size-4 shrink-0 text-edge" />}
            <span
              className={
                index === services.length - 1
                  ? 'rounded-full bg-leaf px-3 py-1 font-semibold text-sm text-white'
                  : 'rounded-full bg-leaf-pale px-3 py-1 text-leaf-dark text-sm'
              }
            >
              {service.name}
            </span>
          </li>
        ))}
      </ol>
      {description && <p className="mt-3 text-soft">{description}</p>}
    </Card>
  );
}

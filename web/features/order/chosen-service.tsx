import type { Service } from '#contract/catalogue.ts';
import { ServicePicture } from '#web/catalogue/service-text.tsx';

/** The ordered service and its path. */
export function ChosenService({ services }: { services: Service[] }) {
  const service = services.at(-1) as Service;
  return (
    <section aria-labelledby="chosen-service" className="flex items-start gap-3">
      <ServicePicture service={service} size="small" />
      <div className="min-w-0 flex-1 text-[0.8125rem] text-soft leading-snug">
        <h2 id="chosen-service" className="font-bold text-[1.0625rem] text-ink leading-tight">
          {service.name}
        </h2>
        <ol aria-label="Chemin" className="mt-1 flex flex-wrap gap-y-0.5">
          {services.slice(0, -1).map(({ id, name }, place) => (
            <li key={id} className="flex max-w-full items-center">
              <span className="min-w-0 rounded bg-leaf-pale px-1.5">{name}</span>
              {place < services.length - 2 && (
                <span aria-hidden="true" className="px-1">
                  →
                </span>
              )}
            </li>
          ))}
        </ol>
        {service.description && <p className="mt-1">{service.description}</p>}
      </div>
    </section>
  );
}

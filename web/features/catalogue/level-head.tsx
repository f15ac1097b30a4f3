import type { Service } from '#contract/catalogue.ts';
import { PageTitle } from '#web/ui/page.tsx';

/** Where one is in the catalogue, and the ways back up. */
export function LevelHead({
  trail,
  onOpen,
  onBack,
}: {
  trail: (Service | undefined)[];
  /** Opens the level at that depth; 0 is the top. */
  onOpen: (depth: number) => void;
  onBack: () => void;
}) {
  const above = [{ name: 'Accueil' }, ...trail.slice(0, -1)];
  return (
    <>
      <nav aria-label="Fil d’Ariane" className="mb-1">
        <ol className="flex flex-wrap items-center">
          {above.map((service, depth) => (
            // A level is identified by its depth.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={depth} className="flex items-center">
              {depth > 0 && (
                <span className="text-edge" aria-hidden="true">
                  /
                </span>
              )}
              <button
                type="button"
                className="min-h-11 px-1.5 text-left text-leaf text-sm underline"
                onClick={() => onOpen(depth)}
              >
                {service?.name ?? '…'}
              </button>
            </li>
          ))}
        </ol>
      </nav>
      <PageTitle onBack={onBack}>{trail.at(-1)?.name ?? '…'} - Services</PageTitle>
    </>
  );
}

import type { Service } from '#contract/catalogue.ts';
import { BackButton } from '#web/ui/back-button.tsx';
import { useHeadingFocus } from '#web/ui/page.tsx';

/** The current level and the path to it, on one line that shows its end. */
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
  const above = ['Accueil', ...trail.slice(0, -1).map((service) => service?.name ?? '…')];
  const name = trail.at(-1)?.name ?? '…';
  const heading = useHeadingFocus(name);
  return (
    <>
      <title>{`${name} - Services · Guichet`}</title>
      <div className="flex min-h-12 items-center gap-1">
        <BackButton onClick={onBack} className="-ml-3" />
        <h1 {...heading} className="wrap-anywhere min-w-0 flex-1 font-bold text-lg leading-tight outline-none">
          {name} <span className="font-normal text-sm text-soft">- Services</span>
        </h1>
      </div>
      {/* Right-aligned overflow: a path longer than the screen shows its end. */}
      <nav
        aria-label="Fil d’Ariane"
        className="-mx-4 -mt-2 flex flex-row-reverse overflow-x-auto px-2.5 [scrollbar-width:none]"
      >
        <ol className="mr-auto flex shrink-0 items-center">
          {above.map((each, depth) => (
            // A level is identified by its depth.
            // biome-ignore lint/suspicious/noArrayIndexKey: see above
            <li key={depth} className="flex items-center">
              {depth > 0 && (
                <span className="text-edge text-sm" aria-hidden="true">
                  /
                </span>
              )}
              <button
                type="button"
                className="min-h-11 whitespace-nowrap px-1.5 text-leaf text-sm -outline-offset-4 hover:underline"
                onClick={() => onOpen(depth)}
              >
                {each}
              </button>
            </li>
          ))}
        </ol>
      </nav>
    </>
  );
}

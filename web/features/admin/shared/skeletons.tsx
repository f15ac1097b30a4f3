import { cardClass } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';

// In the shapes of the screens that are no lists.

export const dashboardSkeleton = (
  <SkeletonBoxes
    text="Chargement du tableau de bord..."
    className="grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-4"
    boxes={['col-span-full h-56', ...Array(4).fill('h-29'), 'col-span-full h-64 lg:col-span-3', 'max-lg:col-span-full']}
  />
);

export const queueSkeleton = (
  <SkeletonBoxes
    text="Chargement des tickets..."
    className="gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]"
    boxes={['h-96', 'h-80']}
  />
);

export const closingSkeleton = (
  <SkeletonBoxes
    text="Chargement de la journée..."
    className="gap-4 lg:grid-cols-2"
    boxes={['h-20 lg:col-span-2', 'h-64', 'h-64']}
  />
);

/** Placeholder boxes in the places of a screen's parts, a class each, with a sentence. */
function SkeletonBoxes({ text, boxes, className }: { text: string; boxes: readonly string[]; className: string }) {
  return (
    <div role="status">
      <div className={join('breathe grid', className)} aria-hidden="true">
        {boxes.map((box, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: nothing tells one from another
          <div key={place} className={join(cardClass, 'p-4', box)}>
            <span className="block h-3.5 w-2/5 rounded bg-line" />
          </div>
        ))}
      </div>
      <p className="sr-only">{text}</p>
    </div>
  );
}

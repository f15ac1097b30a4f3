import { cardClass } from './card.tsx';
import { join } from './join.ts';

const bone = 'rounded bg-line';

/** Placeholder rows of a list in their final size, with a sentence. */
export function SkeletonRows({ text, className }: { text: string; className?: string }) {
  return (
    <div role="status" className="relative">
      <ul className={join(cardClass, 'breathe divide-y divide-line', className)} aria-hidden="true">
        {[0, 1, 2, 3].map((row) => (
          <li key={row} className="flex min-h-15 items-center gap-3 px-3 py-2">
            <span className={join(bone, 'size-10 shrink-0 rounded-xl')} />
            <span className="flex-1">
              <span className={join(bone, 'block h-3.5 w-2/3')} />
              <span className={join(bone, 'mt-2 block h-3 w-2/5')} />
            </span>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-center text-soft text-small">{text}</p>
    </div>
  );
}

/** Placeholder lines of a text in different lengths, with a sentence. */
export function SkeletonText({ text, lines = 6 }: { text: string; lines?: number }) {
  return (
    <div role="status">
      <div className={join(cardClass, 'breathe p-4 sm:p-5')} aria-hidden="true">
        {Array.from({ length: lines }, (_, line) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: nothing tells one from another
            key={line}
            className={join(bone, 'mb-3 block h-3.5', line % 3 === 0 ? 'w-2/5' : line % 3 === 1 ? 'w-full' : 'w-5/6')}
          />
        ))}
      </div>
      <p className="mt-2 text-center text-soft text-small">{text}</p>
    </div>
  );
}

import { useLayoutEffect, useRef } from 'react';
import { Link } from '#web/router.tsx';
import { join } from '#web/ui/join.ts';

interface Pill {
  href: string;
  words: string;
  isCurrent: boolean;
  count?: string | undefined;
}

const looks = {
  lead: { current: 'border-b-leaf font-bold text-leaf', other: 'border-b-transparent text-soft hover:text-leaf' },
  pill: {
    current: 'border-leaf bg-leaf-pale font-semibold text-leaf-dark',
    other: 'border-edge bg-card text-ink hover:bg-ground',
  },
};

/**
 * Links to the parts of a tab, on one line, which a phone scrolls, with the current one in its middle. They are
 * underlined where they lead to other parts, and pills where they only filter.
 */
export function PillLinks({ label, lead, pills }: { label: string; lead?: boolean; pills: readonly Pill[] }) {
  const strip = useRef<HTMLUListElement>(null);
  const current = pills.find(({ isCurrent }) => isCurrent)?.href;
  const uncounted = pills.filter(({ count }) => count === undefined).length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another part is another link, and a count makes a pill wider
  useLayoutEffect(() => {
    const centre = () => {
      const pill = strip.current?.querySelector('[aria-current]')?.getBoundingClientRect();
      if (!strip.current || !pill) return;
      const { left, width } = strip.current.getBoundingClientRect();
      strip.current.scrollLeft += pill.left + pill.width / 2 - (left + width / 2);
    };
    centre();
    addEventListener('resize', centre);
    return () => removeEventListener('resize', centre);
  }, [current, uncounted]);
  return (
    <nav aria-label={label} className={lead ? 'mb-4 max-sm:mb-2' : 'mb-4 max-sm:-mt-1 max-sm:mb-2 bar:mb-1'}>
      {/* It fades where more may come. */}
      <ul
        ref={strip}
        className={join(
          '-mx-3 flex overflow-x-auto pr-8 pl-3 max-md:[mask-image:linear-gradient(to_right,transparent,black_0.75rem,black_calc(100%-2rem),transparent)] sm:-mx-4 sm:pl-4 md:mx-0 md:flex-wrap md:px-0',
          lead ? 'shadow-[inset_0_-1px_var(--color-line)]' : 'gap-2 py-1',
        )}
      >
        {pills.map(({ href, words, count, isCurrent }) => (
          <li key={href} className="shrink-0">
            <Link
              href={href}
              aria-current={isCurrent ? 'page' : undefined}
              className={join(
                'flex min-h-11 items-center gap-1.5 whitespace-nowrap px-3 leading-tight sm:px-4',
                lead ? 'border-y-4 border-t-transparent -outline-offset-4' : 'rounded-full border',
                looks[lead ? 'lead' : 'pill'][isCurrent ? 'current' : 'other'],
              )}
            >
              <span>{words}</span>
              {count !== undefined && <span className="tabular-nums">{count}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

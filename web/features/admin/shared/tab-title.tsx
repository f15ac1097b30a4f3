import type { ReactNode } from 'react';
import { join } from '#web/ui/join.ts';
import { useHeadingFocus } from '#web/ui/page.tsx';

/**
 * The head of a tab: its title, the controls beside it, and the links to its parts. The title stands at one height
 * everywhere. On a phone the controls of a tab with parts stand below them; on its side, in the bar with the menu.
 */
export function TabTitle({
  children,
  count,
  aside,
  nav,
  beside,
}: {
  children: string;
  /** Of what is listed, beside the title. */
  count?: string | undefined;
  aside?: ReactNode;
  nav?: ReactNode;
  /** Also with parts the controls stand beside the title on a phone, which has room for both. */
  beside?: boolean;
}) {
  const heading = useHeadingFocus(children);
  const hasParts = nav !== undefined;
  return (
    <div
      className={join(
        'max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:gap-x-4 max-sm:gap-y-2',
        !hasParts && 'mb-3 bar:mb-2',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 max-sm:contents bar:-mt-14 bar:-mr-4 bar:ml-10 bar:min-h-12 bar:border-line bar:border-b bar:bg-card bar:pr-4">
        <h1
          {...heading}
          className={join(
            'wrap-anywhere flex min-h-13 min-w-0 items-center font-bold text-title leading-tight outline-none md:min-h-12 bar:min-h-0 bar:text-large',
            count === undefined && 'grow-999 bar:basis-40',
          )}
        >
          {children}
        </h1>
        {count !== undefined && (
          <p role="status" className="grow-999 text-soft tabular-nums">
            {count}
          </p>
        )}
        {aside && (
          <div
            className={join(
              'flex grow flex-wrap gap-2 max-sm:[&>:is(a,button)]:px-2.5 max-sm:[&>:is(a,button)]:text-body bar:[&>:is(a,button)]:min-h-11 bar:[&>:is(a,button)]:py-1',
              hasParts && !beside
                ? 'max-sm:order-last max-sm:mb-3 max-sm:w-full max-sm:[&>:is(a,button)]:flex-1'
                : 'max-sm:[&>:is(a,button)]:grow',
            )}
          >
            {aside}
          </div>
        )}
      </div>
      {hasParts && <div className="w-full min-w-0 sm:mt-3 bar:mt-0 bar:[&>nav]:mb-2">{nav}</div>}
    </div>
  );
}

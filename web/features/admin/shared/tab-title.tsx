import type { ReactNode } from 'react';
import { useHeadingFocus } from '#web/ui/page.tsx';

/** The head of a tab: its title and the controls beside it. */
export function TabTitle({ children, aside }: { children: string; aside?: ReactNode }) {
  const heading = useHeadingFocus(children);
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <h1 {...heading} className="wrap-anywhere min-w-0 font-bold text-2xl leading-tight outline-none">
        {children}
      </h1>
      {aside && <div className="flex flex-wrap gap-2">{aside}</div>}
    </div>
  );
}

import type { ReactNode } from 'react';

/** A value over a small muted line about it; in a table each stays on one line. */
export function RowText({ children, note }: { children: ReactNode; note: ReactNode }) {
  return (
    <div className="min-w-0 leading-snug in-[td]:*:truncate">
      <div className="wrap-anywhere">{children}</div>
      <div className="wrap-anywhere text-small text-soft empty:hidden has-data-none:hidden">{note}</div>
    </div>
  );
}

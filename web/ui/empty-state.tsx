import type { ReactNode } from 'react';

/** What a list shows when there is nothing in it, with the way on. */
export function EmptyState({ picture, title, children }: { picture: string; title: string; children?: ReactNode }) {
  return (
    <div className="flex flex-col items-center gap-4 px-4 py-14 text-center">
      <span className="text-5xl" aria-hidden="true">
        {picture}
      </span>
      <p className="font-semibold text-lg">{title}</p>
      {children}
    </div>
  );
}

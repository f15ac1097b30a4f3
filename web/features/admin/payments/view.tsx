import type { ReactNode } from 'react';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CardIcon } from '#web/ui/panel-icons.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';

/** A view of the incoming payments. Its heading takes the focus of a row that disappears. */
export function View({ title, children }: { title: string; children: ReactNode }) {
  const { heading, around } = useFocusFallback();
  return (
    <section aria-label={title} {...around}>
      <h2 {...heading} className="sr-only">
        {title}
      </h2>
      {children}
    </section>
  );
}

export function Nothing({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <EmptyState Icon={CardIcon} title={title}>
      {children && <p className="max-w-lg text-soft">{children}</p>}
    </EmptyState>
  );
}

import type { ReactNode } from 'react';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CardIcon } from '#web/ui/panel-icons.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';

/**
 * A view of the incoming payments, or that there is nothing in it. Its heading takes the focus of a row that disappears, and
 * its dialogs outlive the last one.
 */
export function View({
  title,
  nothing,
  dialog,
  children,
}: {
  title: string;
  /** Shown in place of the content. */
  nothing?: { title: string; words?: string } | false;
  dialog?: ReactNode;
  children: ReactNode;
}) {
  const { heading, around } = useFocusFallback();
  return (
    <section aria-label={title} {...around}>
      <h2 {...heading} className="sr-only">
        {title}
      </h2>
      {nothing ? (
        <EmptyState Icon={CardIcon} title={nothing.title}>
          {nothing.words && <p className="max-w-lg text-soft">{nothing.words}</p>}
        </EmptyState>
      ) : (
        children
      )}
      {dialog}
    </section>
  );
}

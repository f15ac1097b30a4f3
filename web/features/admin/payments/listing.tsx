import type { ReactNode } from 'react';
import { DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CardIcon } from '#web/ui/panel-icons.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';

/** A part of a row: a column of the table, and on a narrow screen a line of the card. */
export interface Part<Row> {
  head: string;
  percent: number;
  /** Beside parts of many lines. */
  atTop?: boolean;
  draw: (row: Row, inTable: boolean) => ReactNode;
}

/**
 * A list of the incoming payments, or that there is nothing in it. Its heading takes the focus of a row that disappears, and
 * its dialog outlives the last row.
 */
export function Listing<Row extends { id: number }>({
  title,
  rows,
  parts,
  mark,
  lookOf,
  nothing,
  dialog,
  children,
}: {
  title: string;
  rows: readonly Row[];
  parts: readonly Part<Row>[];
  /** The control that chooses a row. */
  mark?: (row: Row) => ReactNode;
  lookOf?: (row: Row) => 'chosen' | 'wrong' | undefined;
  nothing: { title: string; text?: string };
  dialog: ReactNode;
  /** Below the rows. */
  children?: ReactNode;
}) {
  const { heading, around } = useFocusFallback();
  const columns = parts.map(({ head, percent, atTop, draw }) => ({
    head,
    percent,
    className: atTop ? 'py-2.5! align-top!' : 'py-2!',
    cell: (row: Row) => draw(row, true),
  }));
  return (
    <section aria-label={title} {...around}>
      <h2 {...heading} className="sr-only">
        {title}
      </h2>
      {rows.length === 0 ? (
        <EmptyState Icon={CardIcon} {...nothing} />
      ) : (
        <>
          <DataTable
            label={title}
            rows={rows}
            columns={mark ? [{ head: 'Cocher', headHidden: true, percent: 5, cell: mark }, ...columns] : columns}
            {...(lookOf && { lookOf })}
            card={(row) => (
              <div className="flex gap-2">
                {mark?.(row)}
                <div className="flex min-w-0 flex-1 flex-col gap-2.5">
                  {parts.map(({ head, draw }) => (
                    <div key={head} className="empty:hidden">
                      {draw(row, false)}
                    </div>
                  ))}
                </div>
              </div>
            )}
          />
          {children}
        </>
      )}
      {dialog}
    </section>
  );
}

import type { ComponentProps, ReactNode } from 'react';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CardIcon } from '#web/ui/panel-icons.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';

/** A part of a row: a column of the table, and on a narrow screen a line of the card. */
export interface Part<Row> {
  head: string;
  percent?: number;
  draw: (row: Row, inTable: boolean) => ReactNode;
}

/** What may be done with a row; false where its state does not allow it. */
export type RowAction = ComponentProps<typeof RowButton> | false;

/**
 * A list of the tab, or that there is nothing in it. Its heading takes the focus of a row that disappears, and its dialog
 * outlives the last row.
 */
export function Listing<Row extends { id: number }>({
  title,
  rows,
  parts: facts,
  actions,
  mark,
  nothing,
  text = '',
  dialog,
  children,
  ...table
}: {
  title: string;
  rows: readonly Row[];
  parts: readonly Part<Row>[];
  /** The buttons of the last column, which is as wide as the others leave it. */
  actions?: (row: Row) => readonly RowAction[];
  /** The control that chooses a row. */
  mark?: (row: Row) => ReactNode;
  lookOf?: (row: Row) => 'chosen' | 'done' | 'wrong' | undefined;
  /** Said of no rows, and a sentence more. */
  nothing: string;
  text?: string;
  dialog?: ReactNode;
  /** Below the rows. */
  children?: ReactNode;
}) {
  const { heading, around } = useFocusFallback();
  const buttons: Part<Row>['draw'] = (of, small) => (
    <div className="flex flex-wrap gap-1.5 *:flex-auto empty:hidden">
      {actions?.(of).map(
        (action) => action && <RowButton key={action.name} variant="plain" small={small} {...action} />,
      )}
    </div>
  );
  const parts = actions ? [...facts, { head: 'Actions', draw: buttons }] : facts;
  const columns = parts.map(({ draw, ...part }) => ({
    ...part,
    className: 'py-2!',
    cell: (of: Row) => draw(of, true),
  }));
  return (
    <section aria-label={title} {...around}>
      <h2 {...heading} className="sr-only">
        {title}
      </h2>
      {rows.length === 0 ? (
        <EmptyState Icon={CardIcon} title={nothing} text={text} />
      ) : (
        <>
          <DataTable
            label={title}
            rows={rows}
            columns={mark ? [{ head: 'Cocher', headHidden: true, percent: 5, cell: mark }, ...columns] : columns}
            {...table}
            card={(of) => (
              <div className="flex gap-2">
                {mark?.(of)}
                <div className="flex min-w-0 flex-1 flex-col gap-2.5">
                  {parts.map(({ head, draw }) => (
                    <div key={head} className="empty:hidden">
                      {draw(of, false)}
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

import { Fragment, type ReactNode } from 'react';
import { cardClass } from './card.tsx';
import { join } from './join.ts';
import { useMedia } from './use-media.ts';

export interface Column<Row> {
  head: string;
  /** Right-aligned, for numbers. */
  end?: boolean;
  /** A head for screen readers only. */
  headHidden?: boolean;
  /** A control in place of the head; above the cards of a narrow screen. */
  headControl?: ReactNode;
  /** Share of the width; the columns of a table add up to 100 %. Without shares the content decides. */
  percent?: number;
  className?: string;
  /** Of the cell in a card, which are laid side by side and wrap, such as its order. */
  inCard?: string;
  cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  /** Fewer columns, which hold as much, for a table on a small laptop; without them it has cards. */
  fewer?: readonly Column<Row>[];
  /** A card of its own; without one it has the cells. */
  card?: (row: Row) => ReactNode;
  /** A line across the columns below a row that has one; cards show it themselves. */
  note?: (row: Row) => ReactNode;
  lookOf?: (row: Row) => keyof typeof looks | undefined;
  /** Actions on chosen rows: over the head beside its first column, and on a narrow screen at the foot. It takes no room. */
  bar?: ReactNode;
}

const looks = {
  chosen: 'bg-leaf-pale/60',
  done: 'bg-ground',
  wrong: 'bg-brick-pale/60 shadow-[inset_3px_0_0_var(--color-brick)]',
};

/** Rows with a sticky head, below other sticky elements (`--head-top`); on a narrow screen one card per row. */
export function DataTable<Row extends { id: number }>({
  label,
  rows,
  fewer,
  card,
  note,
  lookOf,
  bar,
  ...all
}: Props<Row>) {
  const isWide = useMedia('(min-width: 72rem)');
  const isTable = useMedia('(min-width: 56.25rem)') && (isWide || fewer !== undefined);
  const columns = (!isWide && fewer) || all.columns;
  if (!isTable)
    return (
      <>
        {columns.map(({ head, headControl }) => headControl && <Fragment key={head}>{headControl}</Fragment>)}
        <ul aria-label={label} className="flex flex-col gap-2.5">
          {rows.map((row) => {
            const look = lookOf?.(row);
            return (
              <li key={row.id} data-row={row.id} className={join(cardClass, 'p-3.5', look && looks[look])}>
                {card ? (
                  card(row)
                ) : (
                  <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                    {columns.map(({ head, inCard, cell }) => (
                      <div key={head} className={inCard}>
                        {cell(row)}
                      </div>
                    ))}
                  </div>
                )}
              </li>
            );
          })}
        </ul>
        {bar && (
          <div className="foot-bar fixed inset-x-0 bottom-0 z-20 border-edge border-t pb-[env(safe-area-inset-bottom)]">
            {bar}
          </div>
        )}
      </>
    );
  const table = (
    <table
      aria-label={label}
      className={join(
        'w-full border-separate border-spacing-0 rounded-card border border-line bg-card leading-snug',
        columns.length < 10 && isWide ? 'text-body' : 'text-small', // More have no space.
        columns.some(({ percent }) => percent) && 'table-fixed',
      )}
    >
      <thead>
        <tr>
          {columns.map(({ head, end, headHidden, headControl, percent, className }, place) => (
            <th
              key={head}
              scope="col"
              style={percent ? { width: `${percent}%` } : undefined}
              className={join(
                'sticky top-[var(--head-top,0px)] z-10 border-line border-b h-12 px-1.5 py-1 font-semibold text-small text-soft first:rounded-tl-card first:pl-3 last:rounded-tr-card last:pr-3',
                end ? 'text-right' : 'text-left',
                bar && place === 0 ? 'bg-leaf-pale' : 'bg-card',
                className,
              )}
            >
              {headControl ?? (headHidden ? <span className="sr-only">{head}</span> : head)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const look = lookOf?.(row);
          const line = join(
            '[&:last-child>td:first-child]:rounded-bl-card [&:last-child>td:last-child]:rounded-br-card [&:last-child>td]:border-b-0',
            look && looks[look],
          );
          const below = note?.(row);
          return (
            <Fragment key={row.id}>
              <tr data-row={row.id} className={line}>
                {columns.map(({ head, end, className, cell }) => (
                  <td
                    key={head}
                    className={join(
                      'h-14 border-line px-1.5 py-1 align-middle first:pl-3 last:pr-3',
                      !below && 'border-b',
                      end && 'text-right tabular-nums',
                      className,
                    )}
                  >
                    {cell(row)}
                  </td>
                ))}
              </tr>
              {below && (
                <tr data-note={row.id} className={line}>
                  <td colSpan={columns.length} className="border-line border-b px-3 pb-2 text-small text-soft">
                    {below}
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
  if (bar === undefined) return table;
  return (
    <div>
      <div className="sticky top-[var(--head-top,0px)] z-20 h-0">
        {bar && (
          <div
            className="relative top-px h-12 overflow-hidden rounded-tr-card"
            style={{ marginLeft: `${columns[0]?.percent}%` }}
          >
            {bar}
          </div>
        )}
      </div>
      {table}
    </div>
  );
}

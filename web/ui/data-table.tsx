import type { ReactNode } from 'react';
import { cardClass } from './card.tsx';
import { join } from './join.ts';
import { useMedia } from './use-media.ts';

export interface Column<Row> {
  head: string;
  /** Right-aligned, for numbers. */
  end?: boolean;
  /** A head for screen readers only. */
  headHidden?: boolean;
  /** Share of the width; the columns of a table add up to 100 %. Without shares the content decides. */
  percent?: number;
  className?: string;
  cell: (row: Row) => ReactNode;
}

interface Props<Row> {
  label: string;
  rows: readonly Row[];
  columns: readonly Column<Row>[];
  card: (row: Row) => ReactNode;
  lookOf?: (row: Row) => 'chosen' | 'changed' | undefined;
}

const looks = {
  chosen: 'bg-leaf-pale/60',
  changed: 'bg-amber-pale/60 shadow-[inset_3px_0_0_var(--color-amber)]',
};

/** Rows with a sticky head, below other sticky elements (`--head-top`); on a narrow screen one card per row. */
export function DataTable<Row extends { id: number }>({ label, rows, columns, card, lookOf }: Props<Row>) {
  const isWide = useMedia('(min-width: 72rem)');
  if (!isWide)
    return (
      <ul aria-label={label} className="flex flex-col gap-2.5">
        {rows.map((row) => {
          const look = lookOf?.(row);
          return (
            <li key={row.id} className={join(cardClass, 'p-3.5', look && looks[look])}>
              {card(row)}
            </li>
          );
        })}
      </ul>
    );
  const fixed = columns.some(({ percent }) => percent);
  return (
    <table
      aria-label={label}
      className={join(
        'w-full border-separate border-spacing-0 rounded-card border border-line bg-card text-[0.8125rem] leading-snug',
        fixed && 'table-fixed',
      )}
    >
      <thead>
        <tr>
          {columns.map(({ head, end, headHidden, percent, className }) => (
            <th
              key={head}
              scope="col"
              style={percent ? { width: `${percent}%` } : undefined}
              className={join(
                'sticky top-[var(--head-top,0px)] z-10 border-line border-b bg-card px-1.5 py-2.5 font-semibold text-soft first:rounded-tl-card first:pl-3 last:rounded-tr-card last:pr-3',
                end ? 'text-right' : 'text-left',
                className,
              )}
            >
              {headHidden ? <span className="sr-only">{head}</span> : head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const look = lookOf?.(row);
          return (
            <tr
              key={row.id}
              className={join(
                '[&:last-child>td]:border-b-0 [&:last-child>td:first-child]:rounded-bl-card [&:last-child>td:last-child]:rounded-br-card',
                look && looks[look],
              )}
            >
              {columns.map(({ head, end, className, cell }) => (
                <td
                  key={head}
                  className={join(
                    'h-14 border-line border-b px-1.5 py-1 align-middle first:pl-3 last:pr-3',
                    end && 'text-right tabular-nums',
                    className,
                  )}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

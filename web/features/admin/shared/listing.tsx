import { type ComponentProps, Fragment, type ReactNode } from 'react';
import { cardClass } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { join } from '#web/ui/join.ts';
import { CardIcon } from '#web/ui/panel-icons.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { useMedia } from '#web/ui/use-media.ts';
import { RowButton } from './row-buttons.tsx';

/** A part of a row: a column of the table, and on a narrow screen a line of the card. */
export interface Part<Row> {
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
  /** Of its place in a card whose parts are laid side by side and wrap, such as its order. */
  inCard?: string;
  draw: (row: Row, inTable: boolean) => ReactNode;
}

/** What may be done with a row, in a table by its icon if it has one; false where its state does not allow it. */
export type RowAction = ComponentProps<typeof RowButton> | false;

interface Rows<Row> {
  title: string;
  rows: readonly Row[];
  parts: readonly Part<Row>[];
  /** Fewer columns, which hold as much, for a table on a small laptop; without them it has the parts. */
  fewer?: readonly Part<Row>[];
  /** A card of its own; without one it has the parts. */
  card?: (row: Row) => ReactNode;
  lookOf?: (row: Row) => keyof typeof looks | undefined;
  /** Actions on chosen rows: over the head beside its first column, and on a narrow screen at the foot. It takes no room. */
  bar?: ReactNode;
  /** The control that chooses a row. */
  mark?: ((row: Row) => ReactNode) | undefined;
}

const looks = {
  chosen: 'bg-leaf-pale/60',
  done: 'bg-ground',
  wrong: 'bg-brick-pale/60 shadow-[inset_3px_0_0_var(--color-brick)]',
};

/**
 * Rows: a table with a sticky head, below other sticky elements (`--head-top`), and on a narrow screen one card each. Given
 * what it says of no rows, it has a heading, which takes the focus of a row that disappears.
 */
export function Listing<Row extends { id: number }>({
  actions,
  nothing,
  text = '',
  dialog,
  children,
  ...all
}: Rows<Row> & {
  /** The buttons of the last column, which is as wide as the others leave it. */
  actions?: (row: Row) => readonly RowAction[];
  /** Said of no rows, and a sentence more. */
  nothing?: string;
  text?: string;
  /** Outlives the last row. */
  dialog?: ReactNode;
  /** Below the rows. */
  children?: ReactNode;
}) {
  const { heading, around } = useFocusFallback();
  const isWide = useMedia('(min-width: 72rem)');
  const isTable = useMedia('(min-width: 56.25rem)');
  const buttons: Part<Row>['draw'] = (of, small) => {
    const shown = actions?.(of) ?? [];
    const areIcons = small && shown.every((action) => !action || action.Icon);
    return (
      <div className={join('flex gap-1.5 empty:hidden', areIcons ? 'justify-end' : 'flex-wrap *:flex-auto')}>
        {shown.map((action) => action && <RowButton key={action.name} variant="plain" small={small} {...action} />)}
      </div>
    );
  };
  const facts = (!isWide && all.fewer) || all.parts;
  const inCard = facts.some((part) => part.inCard) ? 'w-full' : undefined;
  const parts = actions ? [...facts, { head: 'Actions', end: isTable, inCard, draw: buttons }] : facts;
  const rows = isTable ? <Table {...all} parts={parts} isWide={isWide} /> : <Cards {...all} parts={parts} />;
  if (nothing === undefined) return rows;
  return (
    <section aria-label={all.title} {...around}>
      <h2 {...heading} className="sr-only">
        {all.title}
      </h2>
      {all.rows.length === 0 ? (
        <EmptyState Icon={CardIcon} title={nothing} text={text} />
      ) : (
        <>
          {rows}
          {children}
        </>
      )}
      {dialog}
    </section>
  );
}

/** Parts without places of their own are the lines of a card, beside its mark. */
const areLines = <Row,>({ parts, card }: Pick<Rows<Row>, 'parts' | 'card'>) =>
  !card && parts.every(({ inCard }) => inCard === undefined);

function Cards<Row extends { id: number }>({ title, rows, mark, lookOf, bar, ...drawn }: Rows<Row>) {
  const { parts, card } = drawn;
  const inLines = areLines(drawn);
  return (
    <>
      {parts.map(({ head, headControl }) => headControl && <Fragment key={head}>{headControl}</Fragment>)}
      <ul aria-label={title} className="flex flex-col gap-2.5">
        {rows.map((row) => {
          const look = lookOf?.(row);
          return (
            <li key={row.id} data-row={row.id} className={join(cardClass, 'p-3.5', look && looks[look])}>
              {card?.(row) ?? (
                <div className="flex gap-2">
                  {mark?.(row)}
                  <div
                    className={join(
                      'flex min-w-0 flex-1',
                      inLines ? 'flex-col gap-2.5' : 'flex-wrap items-center gap-x-3 gap-y-1',
                    )}
                  >
                    {parts.map(({ head, inCard, draw }) => (
                      <div key={head} className={inLines ? 'empty:hidden' : inCard}>
                        {draw(row, false)}
                      </div>
                    ))}
                  </div>
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {bar && (
        <div className="foot-bar fixed inset-x-0 bottom-0 z-20 max-h-1/4 overflow-y-auto border-edge border-t pb-[env(safe-area-inset-bottom)]">
          {bar}
        </div>
      )}
    </>
  );
}

type Column<Row> = Part<Row> & { className: string };

function Table<Row extends { id: number }>({
  title,
  rows,
  mark,
  lookOf,
  bar,
  isWide,
  ...drawn
}: Rows<Row> & { isWide: boolean }) {
  const padding = areLines(drawn) && 'py-1.5!';
  const columns: Column<Row>[] = drawn.parts.map((part) => ({ ...part, className: join(padding, part.className) }));
  if (mark) columns.unshift({ head: 'Cocher', headHidden: true, percent: 5, className: '', draw: mark });
  const table = (
    <table
      aria-label={title}
      className={join(
        'w-full border-separate border-spacing-0 rounded-card border border-line bg-card leading-snug',
        columns.length < 10 && isWide ? 'text-body' : 'text-small', // More have no space.
        columns.some(({ percent }) => percent) && 'table-fixed',
      )}
    >
      <Head columns={columns} isBelowBar={Boolean(bar)} />
      <tbody>
        {rows.map((row) => (
          <Line key={row.id} row={row} columns={columns} look={lookOf?.(row)} />
        ))}
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

function Head<Row>({ columns, isBelowBar }: { columns: readonly Column<Row>[]; isBelowBar: boolean }) {
  return (
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
              isBelowBar && place === 0 ? 'bg-leaf-pale' : 'bg-card',
              className,
            )}
          >
            {headControl ?? (headHidden ? <span className="sr-only">{head}</span> : head)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function Line<Row extends { id: number }>({
  row,
  columns,
  look,
}: {
  row: Row;
  columns: readonly Column<Row>[];
  look: keyof typeof looks | undefined;
}) {
  return (
    <tr
      data-row={row.id}
      className={join(
        '[&:last-child>td:first-child]:rounded-bl-card [&:last-child>td:last-child]:rounded-br-card [&:last-child>td]:border-b-0',
        look && looks[look],
      )}
    >
      {columns.map(({ head, end, className, draw }) => (
        <td
          key={head}
          className={join(
            'h-14 border-line border-b px-1.5 py-1 align-middle first:pl-3 last:pr-3',
            end && 'text-right tabular-nums',
            className,
          )}
        >
          {draw(row, true)}
        </td>
      ))}
    </tr>
  );
}

import type { ReactNode } from 'react';
import { join } from '#web/ui/join.ts';

interface Props {
  title: string;
  /** What the drawing shows, in one sentence: seen above it, and its accessible name by `summaryId`. */
  summary: string;
  summaryId: string;
  /** Nothing is drawn then, and the summary stands alone. */
  isEmpty: boolean;
  /** Whether the place of the summary is wanted for what is pointed at. */
  summaryCovered?: boolean;
  /** Beside the title. */
  aside?: ReactNode;
  columns: string[];
  rows: { name: string; values: string[] }[];
  children: ReactNode;
}

/** A drawing with its title and, for who cannot or would not read it, the table it is drawn from. */
export function ChartFigure({
  title,
  summary,
  summaryId,
  isEmpty,
  summaryCovered,
  aside,
  columns,
  rows,
  children,
}: Props) {
  const caption = (
    <div className="flex flex-wrap items-center justify-between gap-2">
      <figcaption className="font-bold">{title}</figcaption>
      {aside}
    </div>
  );
  if (isEmpty)
    return (
      <figure>
        {caption}
        <p className="mt-3 flex min-h-52 items-center justify-center rounded-xl border border-line border-dashed p-4 text-center text-soft">
          {summary}
        </p>
      </figure>
    );
  return (
    <figure className="@container">
      {caption}
      {/* Heard once, as the name of the drawing. */}
      <p id={summaryId} aria-hidden="true" className={join('text-soft text-sm', summaryCovered && 'invisible')}>
        {summary}
      </p>
      {children}
      <details className="mt-2 -mb-2">
        <summary className="w-fit cursor-pointer rounded-lg py-2.5 pr-2 font-semibold text-leaf text-sm leading-6 hover:underline">
          Voir le tableau<span className="sr-only"> : {title}</span>
        </summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: with large text on a phone it scrolls, by the keyboard too */}
        <section aria-label={`${title}, tableau`} tabIndex={0} className="overflow-x-auto">
          <table className="w-full text-sm tabular-nums">
            <caption className="sr-only">{title}</caption>
            <thead>
              <tr>
                {columns.map((column, index) => (
                  <th
                    key={column}
                    scope="col"
                    className={join('border-line border-b py-2 font-semibold text-soft', sideOf(index))}
                  >
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, values }, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two rows may have one name, and none has a state
                <tr key={row}>
                  <th scope="row" className={join('border-line border-b py-2 font-normal', sideOf(0))}>
                    {name}
                  </th>
                  {values.map((value, index) => (
                    <td key={columns[index + 1]} className={join('border-line border-b py-2', sideOf(index + 1))}>
                      {value}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      </details>
    </figure>
  );
}

/** Names stand left, numbers right. */
const sideOf = (column: number) => (column === 0 ? 'text-left' : 'pl-3 text-right');

import type { ReactNode } from 'react';
import { join } from '#web/ui/join.ts';

interface Props {
  title: string;
  /** The chart in one sentence, shown above it; `summaryId` makes it the chart's accessible name. */
  summary: string;
  summaryId: string;
  /** Draws no chart, only the summary. */
  isEmpty: boolean;
  summaryCovered?: boolean;
  aside?: ReactNode;
  columns: string[];
  rows: { name: string; values: string[] }[];
  children: ReactNode;
}

/** A chart with its title and, as an alternative, the table of its data. */
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
      {/* Screen readers announce it once, as the chart's name. */}
      <p id={summaryId} aria-hidden="true" className={join('text-soft text-sm', summaryCovered && 'invisible')}>
        {summary}
      </p>
      {children}
      <details className="mt-2 -mb-2">
        <summary className="w-fit cursor-pointer rounded-lg py-2.5 pr-2 font-semibold text-leaf text-sm leading-6 hover:underline">
          Voir le tableau<span className="sr-only">{` : ${title}`}</span>
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

const sideOf = (column: number) => (column === 0 ? 'text-left' : 'pl-3 text-right');

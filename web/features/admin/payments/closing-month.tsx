import { type KeyboardEvent, useRef } from 'react';
import { type ClosingState, listClosingDays } from '#contract/closings.ts';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { formatCalendarDay } from '#web/text/formats.ts';
import { join } from '#web/ui/join.ts';
import { addDays, formatMonth, monthOf } from './closing-figures.ts';

/** How a day looks in its month; the sign tells it without the colour. */
const looks: Record<ClosingState, { words: string; sign: string; look: string }> = {
  open: { words: 'à signer', sign: '○', look: 'border-edge bg-card font-semibold' },
  gap: { words: 'lacune', sign: '!', look: 'border-amber bg-amber-pale text-amber' },
  signed: { words: 'signée', sign: '✓', look: 'border-line bg-ground text-leaf-dark' },
  changed: { words: 'a changé', sign: '≠', look: 'border-brick bg-brick-pale text-brick' },
};

export const MonthLegend = () => (
  <ul aria-label="Légende" className="flex flex-wrap gap-x-4 gap-y-1 text-small text-soft">
    {Object.values(looks).map(({ words, sign, look }) => (
      <li key={words} className="flex items-center gap-1.5">
        <span aria-hidden="true" className={join('size-5 rounded border text-center leading-[1.125rem]', look)}>
          {sign}
        </span>
        {words}
      </li>
    ))}
  </ul>
);

/** The arrow keys move by a day, or by a week where weeks stand below one another. */
const steps: Record<string, (isCalendar: boolean) => number> = {
  ArrowLeft: () => -1,
  ArrowRight: () => 1,
  ArrowUp: (isCalendar) => (isCalendar ? -7 : 0),
  ArrowDown: (isCalendar) => (isCalendar ? 7 : 0),
};

/** The days of an account's month: in one line, or as a calendar's weeks. */
export function Month({
  account,
  day,
  isChosen,
  today,
  isCalendar,
  onChoose,
}: {
  account: PaymentAccount;
  /** In this month. */
  day: string;
  /** Whether the day is shown for this account. */
  isChosen: boolean;
  today: string;
  isCalendar: boolean;
  onChoose: (day: string) => void;
}) {
  const { from, to } = monthOf(day);
  const query = { accountId: String(account.id), from, to };
  const read = useEndpoint(listClosingDays, { query }, { freshForMs: 0 }).data;
  const states = new Map(read?.map((each) => [each.day, each.state]));
  const count = Number(to.slice(8));
  const days = Array.from({ length: count }, (_, place) => addDays(from, place));
  const list = useRef<HTMLOListElement>(null);
  const move = (event: KeyboardEvent) => {
    const own = days.indexOf((event.target as HTMLElement).dataset.day ?? '');
    const by = steps[event.key]?.(isCalendar);
    const next = days[own + (by ?? 0)];
    if (by === undefined || own < 0) return;
    event.preventDefault();
    if (next && next <= today) list.current?.querySelector<HTMLElement>(`[data-day="${next}"]`)?.focus();
  };
  const firstColumn = ((new Date(from).getUTCDay() + 6) % 7) + 1;
  return (
    <ol
      ref={list}
      aria-label={`${account.label}, ${formatMonth(day)}`}
      onKeyDown={move}
      className={join('grid gap-px', isCalendar ? 'grid-cols-7 gap-1' : 'grid-cols-[repeat(31,minmax(0,1fr))]')}
    >
      {days.map((each, place) => {
        const state = states.get(each);
        const { words, sign, look } = state ? looks[state] : { words: 'sans mouvement', sign: '', look: '' };
        const isCurrent = each === day;
        const { longWithWeekday } = formatCalendarDay(each);
        return (
          <li key={each} style={isCalendar && place === 0 ? { gridColumnStart: firstColumn } : undefined}>
            <button
              type="button"
              data-day={each}
              tabIndex={isCurrent ? 0 : -1}
              disabled={each > today}
              aria-current={isCurrent && isChosen ? 'date' : undefined}
              onClick={() => onChoose(each)}
              className={join(
                'flex h-11 w-full flex-col items-center justify-center rounded-lg border text-small leading-tight tabular-nums disabled:opacity-40',
                look || 'border-transparent text-soft hover:border-edge',
                isCurrent && isChosen && 'border-indigo! font-bold ring-1 ring-indigo',
              )}
            >
              <span className="sr-only">
                {read && each <= today ? `${longWithWeekday}\u00a0: ${words}` : longWithWeekday}
              </span>
              <span aria-hidden="true">{Number(each.slice(8))}</span>
              {sign && <span aria-hidden="true">{sign}</span>}
            </button>
          </li>
        );
      })}
    </ol>
  );
}

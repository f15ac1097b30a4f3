import { type ReactNode, useState } from 'react';
import {
  type Closing,
  type ClosingFigures,
  type ClosingState,
  exportClosings,
  hasMovement,
  readClosing,
  stateOf,
} from '#contract/closings.ts';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ExportButton } from '#web/features/admin/shared/export-button.tsx';
import { TicketLink } from '#web/features/admin/shared/payment-facts.tsx';
import { closingSkeleton } from '#web/features/admin/shared/skeletons.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { formatCalendarDay, formatCounted } from '#web/text/formats.ts';
import { PrinterIcon } from '#web/ui/action-icons.tsx';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { useMedia } from '#web/ui/use-media.ts';
import { addDays, clockOf, formatMonth, francs, gapWords, ledgersOf, monthOf } from './closing-figures.ts';
import { Month, MonthLegend } from './closing-month.tsx';
import { DayLines, Visa } from './closing-paper.tsx';
import { amberLook, type DayProps, Earlier, Reason, Signature, SignButton } from './closing-signature.tsx';
import { AccountOptions } from './intake-dialogs.tsx';

/** JavaScript takes the 30th of February for a day in March. The contract's own check would weigh on the first screen. */
const isDay = (text: string) =>
  /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;

/** The month of each account, and one day of one: whether the wallet's balances follow one another, and what was approved beside them. */
export default function ClosingView({ accounts }: { accounts: readonly PaymentAccount[] }) {
  const { values, set } = useTabSearch();
  const account = (accounts.find(({ id }) => String(id) === values.get('compte')) ?? accounts[0]) as PaymentAccount;
  const today = clockOf(Date.now(), account.country).slice(0, 10);
  const asked = values.get('jour') ?? '';
  const day = isDay(asked) && asked <= today ? asked : addDays(today, -1);
  const query = useEndpoint(
    readClosing,
    { query: { accountId: String(account.id), day } },
    { pollEveryMs: pollEveryMs.adminPaymentAccounts },
  );
  const isWide = useMedia('(min-width: 56.25rem)');
  const shown = accounts.filter((each) => each === account || (isWide && each.isActive));
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-2">
        {!isWide && accounts.length > 1 && (
          <div className="w-full">
            <SelectField
              label="Compte"
              labelHidden
              value={account.id}
              onChange={({ target }) => set({ compte: target.value })}
            >
              <AccountOptions accounts={accounts} />
            </SelectField>
          </div>
        )}
        <MonthSteps day={day} today={today} onChoose={(jour) => set({ jour })} />
        <MonthLegend />
      </div>
      <ul className="mb-5 flex flex-col gap-2">
        {shown.map((each) => (
          <li key={each.id} className="gap-x-3 min-[72rem]:grid min-[72rem]:grid-cols-[9rem_minmax(0,1fr)]">
            {isWide && <p className="wrap-anywhere self-center text-small leading-tight">{each.label}</p>}
            <Month
              account={each}
              day={day}
              isChosen={each === account}
              today={today}
              isCalendar={!isWide}
              onChoose={(jour) => set({ compte: String(each.id), jour })}
            />
          </li>
        ))}
      </ul>
      <QueryState
        query={query}
        loading="Chargement de la journée..."
        skeleton={closingSkeleton}
        failure="Impossible de charger la journée."
      >
        {(closing) => (
          <Day key={`${account.id} ${day}`} account={account} day={day} closing={closing} isOver={day < today} />
        )}
      </QueryState>
    </>
  );
}

function MonthSteps({ day, today, onChoose }: { day: string; today: string; onChoose: (day: string) => void }) {
  const { from, to } = monthOf(day);
  const next = addDays(to, 1);
  const steps = [
    { to: addDays(from, -1), words: 'Mois précédent', arrow: '←' },
    { to: next, words: 'Mois suivant', arrow: '→' },
  ];
  const [before, after] = steps.map(({ to: chosen, words, arrow }) => (
    <Button
      key={words}
      variant="plain"
      tight
      className="size-11 min-h-11! shrink-0 px-0!"
      aria-label={words}
      disabled={chosen > today}
      onClick={() => onChoose(chosen)}
    >
      <span aria-hidden="true">{arrow}</span>
    </Button>
  ));
  return (
    <div className="flex items-center gap-2 max-sm:w-full">
      {before}
      <p className="min-w-0 text-center font-semibold first-letter:uppercase max-sm:flex-1 sm:min-w-36">
        {formatMonth(day)}
      </p>
      {after}
    </div>
  );
}

function Day(props: DayProps) {
  const { account, day, closing, isOver } = props;
  const { figures, signed } = closing;
  const [paper, setPaper] = useState<'closed' | 'open' | 'printing'>('closed');
  const { heading, around } = useFocusFallback();
  const [verdict, look] = verdictOf(closing);
  return (
    <section aria-labelledby="closing-title" className="closing flex flex-col gap-3" {...around}>
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2.5">
        <div className="min-w-0 flex-1 basis-80">
          <p className="mb-2 hidden justify-between text-soft print:flex">
            <span className="font-display font-extrabold text-ink text-title">Guichet</span>
            {location.host}
          </p>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <h2 {...heading} id="closing-title" className="font-bold text-large leading-tight outline-none">
              {`Clôture du ${formatCalendarDay(day).longWithWeekday} ${day.slice(0, 4)}`}
            </h2>
            <StateBadge {...props} />
          </div>
          <p className="text-soft">{`${account.label} · ${account.number}`}</p>
        </div>
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1 print:hidden">
          {(!signed || signed.changed) && <SignButton {...props} />}
          <Button variant="plain" tight onClick={() => setPaper('printing')}>
            <PrinterIcon className="size-5" /> Imprimer
          </Button>
          <MonthExport account={account} month={monthOf(day)} />
        </div>
      </div>
      <p role="status" className={join('rounded-card border px-4 py-2.5 font-semibold', look)}>
        {verdict}
        {!isOver && <span className="block font-normal text-body">La journée n'est pas finie.</span>}
      </p>
      <Signature signed={signed} figures={figures} />
      <Ledgers figures={figures} />
      {figures.gaps.map((gap) => (
        <Gap key={gap.after.id} gap={gap} country={account.country}>
          <Reason
            label="Pourquoi ce message manque"
            given={signed?.reasons.gaps.find(({ lineId }) => lineId === gap.after.id)?.reason}
          />
        </Gap>
      ))}
      {(!isOver || signed?.reasons.unfinished) && (
        <Reason label="Pourquoi signer avant la fin de la journée" given={signed?.reasons.unfinished} />
      )}
      <Earlier signatures={closing.earlier} />
      <DayLines
        account={account}
        day={day}
        paper={paper}
        onToggle={(isOpen) => paper !== 'printing' && setPaper(isOpen ? 'open' : 'closed')}
        onPrinted={() => setPaper('open')}
      />
      <Visa />
    </section>
  );
}

const badges: Record<ClosingState, [words: string, tone: Tone]> = {
  open: ['À signer', 'grey'],
  gap: ['À signer, avec lacune', 'amber'],
  signed: ['Signée', 'green'],
  changed: ['A changé', 'red'],
};

function StateBadge({ closing }: Pick<DayProps, 'closing'>) {
  if (!closing.signed && !hasMovement(closing.figures)) return null;
  const [words, tone] = badges[stateOf(closing)];
  return <Badge tone={tone}>{words}</Badge>;
}

/** What the balances of a day prove, and how that looks. */
function verdictOf({ figures, isWhole }: Closing): [words: string, look: string] {
  if (!hasMovement(figures)) return ['Aucun mouvement ce jour-là.', 'border-line bg-card'];
  if (figures.last === null)
    return ['Ce compte ne dit pas de solde\u00a0: rien ne prouve que la journée est entière.', 'border-line bg-card'];
  return isWhole
    ? ['La suite des soldes est entière.', 'border-leaf/40 bg-leaf-pale text-leaf-dark']
    : [`La suite des soldes a ${formatCounted(figures.gaps.length, 'lacune')}.`, amberLook];
}

function Ledgers({ figures }: { figures: ClosingFigures }) {
  const isEmpty = !hasMovement(figures) && figures.last === null;
  return (
    <div className="grid gap-3 empty:hidden md:grid-cols-2 print:grid-cols-2">
      {(isEmpty ? [] : ledgersOf(figures)).map(({ title, rows }) => (
        <Card key={title}>
          <h3 className="mb-2 font-semibold">{title}</h3>
          <Facts>
            {rows.map(([name, words]) => (
              <Fact key={name} name={name} main={name === 'Solde de fin'}>
                <span className="tabular-nums">{words}</span>
              </Fact>
            ))}
          </Facts>
          {title === 'Demandes' && <Unpaid {...figures.withoutPayment} />}
        </Card>
      ))}
    </div>
  );
}

function MonthExport({ account, month }: Pick<DayProps, 'account'> & { month: ReturnType<typeof monthOf> }) {
  return (
    <ExportButton
      className="min-h-12! px-3!"
      endpoint={exportClosings}
      query={{ accountId: String(account.id), ...month }}
      nameNow={() =>
        `cloture_${account.label.match(/[\p{L}\p{N}]+/gu)?.join('-') ?? account.id}_${month.from}_${month.to}.xlsx`
      }
      counted="journée exportée"
    />
  );
}

function Unpaid({ count, ticketIds }: ClosingFigures['withoutPayment']) {
  return (
    <p className="mt-1 flex flex-wrap justify-end gap-x-3 text-body empty:hidden">
      {ticketIds.map((id) => (
        <TicketLink key={id} id={id} />
      ))}
      {count > ticketIds.length && <span>{`et ${formatCounted(count - ticketIds.length, 'autre')}`}</span>}
    </p>
  );
}

/** Where a message is missing: the two around it, and how much. */
function Gap({
  gap,
  country,
  children,
}: {
  gap: ClosingFigures['gaps'][number];
  country: string;
  children: ReactNode;
}) {
  const clock = (instant: string) => clockOf(instant, country);
  return (
    <Card className="break-inside-avoid border-amber!">
      <h3 className="font-semibold text-amber">{gapWords(gap, country)}</h3>
      <div className="mt-2 grid gap-3 sm:grid-cols-2 print:grid-cols-2">
        {[gap.before, gap.after].map(({ id, paidAt, reference, balance }, place) => (
          <div key={id} className="min-w-0 border-line max-sm:[&+div]:border-t max-sm:[&+div]:pt-3">
            <p className="text-soft text-small">
              {`${place === 0 ? 'Avant' : 'Après'} · ${clock(paidAt).slice(8, 10)}/${clock(paidAt).slice(5, 7)} à ${clock(paidAt).slice(11, 16)}`}
            </p>
            <p className="wrap-anywhere select-all">{reference ?? 'Sans référence'}</p>
            <p className="tabular-nums">{`Solde\u00a0: ${francs(balance)}`}</p>
          </div>
        ))}
      </div>
      <div className="mt-3 border-line border-t pt-3 has-[>p.hidden]:hidden print:has-[>p.hidden]:block">
        {children}
      </div>
    </Card>
  );
}

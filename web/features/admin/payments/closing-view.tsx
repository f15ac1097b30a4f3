import { type ReactNode, useId, useState } from 'react';
import { type Closing, type ClosingFigures, exportClosings, hasMovement, readClosing } from '#contract/closings.ts';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ExportButton } from '#web/features/admin/shared/export-button.tsx';
import { TicketLink } from '#web/features/admin/shared/payment-facts.tsx';
import { closingSkeleton } from '#web/features/admin/shared/skeletons.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import type { FieldErrors } from '#web/forms/read-form.ts';
import { formatCalendarDay, formatCounted } from '#web/text/formats.ts';
import { PrinterIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { Field } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { clockOf, francs, ledgersOf } from './closing-figures.ts';
import { DayLines, Visa } from './closing-paper.tsx';
import { amberLook, type DayProps, Earlier, Reason, Signature, useSign } from './closing-signature.tsx';
import { AccountOptions } from './intake-dialogs.tsx';

const dayMs = 86_400_000;
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
/** JavaScript takes the 30th of February for a day in March. The contract's own check would weigh on the first screen. */
const isDay = (text: string) =>
  /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;
function monthOf(day: string) {
  const [year, month] = day.split('-').map(Number) as [number, number];
  return { from: `${day.slice(0, 7)}-01`, to: new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10) };
}

/** A day of an account: whether the wallet's balances follow one another, and what was approved beside them. */
export function ClosingView({ accounts }: { accounts: readonly PaymentAccount[] }) {
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
  const steps = [
    { days: -1, words: 'Jour précédent', arrow: '←' },
    { days: 1, words: 'Jour suivant', arrow: '→' },
  ];
  return (
    <>
      <div className="mb-4 flex flex-wrap items-end gap-2">
        <div className="min-w-0 max-sm:w-full sm:w-72">
          <SelectField label="Compte" value={account.id} onChange={({ target }) => set({ compte: target.value })}>
            <AccountOptions accounts={accounts} />
          </SelectField>
        </div>
        <div className="min-w-0 flex-1 sm:max-w-48">
          <Field
            label="Jour"
            type="date"
            value={day}
            max={today}
            onChange={({ target }) => target.value && set({ jour: target.value })}
          />
        </div>
        {steps.map(({ days, words, arrow }) => (
          <Button
            key={days}
            variant="plain"
            tight
            className="min-h-13! w-11 shrink-0 px-0! md:min-h-12! md:w-12"
            aria-label={words}
            disabled={days > 0 && day >= today}
            onClick={() => set({ jour: addDays(day, days) })}
          >
            <span aria-hidden="true">{arrow}</span>
          </Button>
        ))}
      </div>
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

function Day(props: DayProps) {
  const { account, day, closing, isOver } = props;
  const { figures, signed } = closing;
  const [paper, setPaper] = useState<'closed' | 'open' | 'printing'>('closed');
  const sign = useSign(props);
  const formId = useId();
  const { heading, around } = useFocusFallback();
  const [verdict, look] = verdictOf(closing);
  return (
    <section aria-labelledby="closing-title" className="closing flex flex-col gap-3" {...around}>
      <div>
        <p className="mb-2 hidden justify-between text-soft print:flex">
          <span className="font-display font-extrabold text-ink text-title">Guichet</span>
          {location.host}
        </p>
        <h2 {...heading} id="closing-title" className="font-bold text-large leading-tight outline-none">
          {`Clôture du ${formatCalendarDay(day).longWithWeekday} ${day.slice(0, 4)}`}
        </h2>
        <p className="text-soft">{`${account.label} · ${account.number}`}</p>
      </div>
      <p role="status" className={join('rounded-card border px-4 py-2.5 font-semibold', look)}>
        {verdict}
        {!isOver && <span className="block font-normal text-body">La journée n'est pas finie.</span>}
      </p>
      <Ledgers figures={figures} />
      <form {...sign.form} id={formId} className="contents">
        <Reasons {...props} errors={sign.errors} />
      </form>
      <Signature signed={signed} figures={figures} />
      <Earlier signatures={closing.earlier} />
      <DayLines
        account={account}
        day={day}
        paper={paper}
        onToggle={(isOpen) => paper !== 'printing' && setPaper(isOpen ? 'open' : 'closed')}
        onPrinted={() => setPaper('open')}
      />
      <Visa />
      <div className="flex flex-wrap gap-2 print:hidden">
        {asksSignature(closing) && (
          <Button
            type="submit"
            form={formId}
            variant={hasMovement(figures) ? 'main' : 'plain'}
            className="max-sm:flex-1"
            busy={sign.busy}
          >
            {signed ? 'Signer à nouveau' : 'Signer la journée'}
          </Button>
        )}
        <Button variant="plain" className="max-sm:flex-1" onClick={() => setPaper('printing')}>
          <PrinterIcon className="size-5" /> Imprimer
        </Button>
        <MonthExport account={account} month={monthOf(day)} />
      </div>
    </section>
  );
}

const asksSignature = ({ signed }: Closing) => !signed || signed.changed;

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

/** The day's gaps and its early end, each with its reason. */
function Reasons({ account, day, closing, isOver, errors }: DayProps & { errors: FieldErrors }) {
  const reasons = closing.signed?.reasons;
  const isAsked = asksSignature(closing);
  return (
    <>
      {closing.figures.gaps.map((gap) => (
        <Gap key={gap.after.id} {...gap} country={account.country} day={day}>
          <Reason
            name={`reasons.gaps.${gap.after.id}`}
            label="Pourquoi ce message manque"
            given={reasons?.gaps.find(({ lineId }) => lineId === gap.after.id)?.reason}
            isAsked={isAsked}
            error={errors[`reasons.gaps.${gap.after.id}`]}
          />
        </Gap>
      ))}
      {(!isOver || reasons?.unfinished) && (
        <Reason
          name="reasons.unfinished"
          label="Pourquoi signer avant la fin de la journée"
          given={reasons?.unfinished}
          isAsked={isAsked && !isOver}
          error={errors['reasons.unfinished']}
        />
      )}
    </>
  );
}

function MonthExport({ account, month }: Pick<DayProps, 'account'> & { month: ReturnType<typeof monthOf> }) {
  return (
    <ExportButton
      className="max-sm:flex-1"
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
  before,
  after,
  missing,
  country,
  day,
  children,
}: ClosingFigures['gaps'][number] & { country: string; day: string; children: ReactNode }) {
  const hourOf = (instant: string) => {
    const [date = '', hour = ''] = clockOf(instant, country).split('T');
    return `${date === day ? '' : `le ${date.slice(8)}/${date.slice(5, 7)} à `}${hour.slice(0, 5)}`;
  };
  const [from, to] = [hourOf(before.paidAt), hourOf(after.paidAt)];
  const between = from === to ? `à ${to}` : `entre ${from} et ${to}`;
  const amount = francs(Math.abs(missing));
  return (
    <Card className="break-inside-avoid border-amber!">
      <h3 className="font-semibold text-amber">
        {missing > 0 ? `Il manque ${amount} ${between}` : `${amount} sont sortis sans message ${between}`}
      </h3>
      <div className="mt-2 grid gap-3 sm:grid-cols-2 print:grid-cols-2">
        {[before, after].map(({ id, paidAt, reference, balance }, place) => (
          <div key={id} className="min-w-0 border-line max-sm:[&+div]:border-t max-sm:[&+div]:pt-3">
            <p className="text-soft text-small">{`${place === 0 ? 'Avant' : 'Après'} · ${hourOf(paidAt)}`}</p>
            <p className="wrap-anywhere select-all">{reference ?? 'Sans référence'}</p>
            <p className="tabular-nums">{`Solde\u00a0: ${francs(balance)}`}</p>
          </div>
        ))}
      </div>
      <div className="mt-3 border-line border-t pt-3">{children}</div>
    </Card>
  );
}

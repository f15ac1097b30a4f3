import {
  type Closing,
  type ClosingFigures,
  exportClosings,
  hasMovement,
  readClosing,
  signClosing,
} from '#contract/closings.ts';
import { hoursAhead } from '#contract/country-clock.ts';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ExportButton } from '#web/features/admin/shared/export-button.tsx';
import { TicketLink } from '#web/features/admin/shared/payment-facts.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { useAction } from '#web/forms/use-action.ts';
import { formatAmount, formatCalendarDay, formatCounted, formatDate } from '#web/text/formats.ts';
import { PrinterIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { Field } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { AccountOptions } from './intake-dialogs.tsx';

const dayMs = 86_400_000;
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
/** JavaScript takes the 30th of February for a day in March. The contract's own check would weigh on the first screen. */
const isDay = (text: string) =>
  /^20\d\d-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)) && addDays(text, 0) === text;
/** A clock of a country, which need not be this browser's. */
const clockOf = (instant: string | number, country: string) =>
  new Date(new Date(instant).getTime() + hoursAhead(country) * 3_600_000).toISOString();
const amberLook = 'border-amber bg-amber-pale text-amber';
const francs = (hundredths: number | null) => (hundredths === null ? 'Non dit' : formatAmount(hundredths / 100));

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
      <QueryState query={query} loading="Chargement de la journée..." failure="Impossible de charger la journée.">
        {(closing) => (
          <Day key={`${account.id} ${day}`} account={account} day={day} closing={closing} isOver={day < today} />
        )}
      </QueryState>
    </>
  );
}

function Day({
  account,
  day,
  closing,
  isOver,
}: {
  account: PaymentAccount;
  day: string;
  closing: Closing;
  isOver: boolean;
}) {
  const { figures, isWhole, digest, signed } = closing;
  const { gaps, withoutPayment, last } = figures;
  const month = monthOf(day);
  const call = useCall();
  const attempt = useAttempt();
  const sign = useAction(async () => {
    const write = async () => {
      await call(signClosing, { body: { accountId: account.id, day, digest } });
      return { title: 'Journée signée', description: `${account.label}, ${formatCalendarDay(day).long}.` };
    };
    await attempt(write, { fallback: "La journée n'a pas pu être signée." }, readClosing);
  });
  const { heading, around } = useFocusFallback();
  const isEmpty = !hasMovement(figures);
  const [verdict, look] = isEmpty
    ? ['Aucun mouvement ce jour-là.', 'border-line bg-card']
    : last === null
      ? ['Ce compte ne dit pas de solde\u00a0: rien ne prouve que la journée est entière.', 'border-line bg-card']
      : isWhole
        ? ['La suite des soldes est entière.', 'border-leaf/40 bg-leaf-pale text-leaf-dark']
        : [`La suite des soldes a ${formatCounted(gaps.length, 'lacune')}.`, amberLook];
  return (
    <section aria-labelledby="closing-title" className="closing flex flex-col gap-3" {...around}>
      <div>
        <h2 {...heading} id="closing-title" className="font-bold text-large leading-tight outline-none">
          {`Clôture du ${formatCalendarDay(day).longWithWeekday} ${day.slice(0, 4)}`}
        </h2>
        <p className="text-soft">{`${account.label} · ${account.number}`}</p>
      </div>
      <p role="status" className={join('rounded-card border px-4 py-2.5 font-semibold', look)}>
        {verdict}
        {!isOver && <span className="block font-normal text-body">La journée n'est pas finie.</span>}
      </p>
      <div className="grid gap-3 empty:hidden md:grid-cols-2 print:grid-cols-2">
        {(isEmpty && last === null ? [] : ledgersOf(figures)).map(({ title, rows }) => (
          <Card key={title}>
            <h3 className="mb-2 font-semibold">{title}</h3>
            <Facts>
              {rows.map(([name, words]) => (
                <Fact key={name} name={name} main={name === 'Solde de fin'}>
                  <span className="tabular-nums">{words}</span>
                </Fact>
              ))}
            </Facts>
            {title === 'Demandes' && <Unpaid {...withoutPayment} />}
          </Card>
        ))}
      </div>
      {gaps.map((gap) => (
        <Gap key={gap.after.id} {...gap} country={account.country} day={day} />
      ))}
      <Signature signed={signed} figures={figures} />
      <div className="flex flex-wrap gap-2 print:hidden">
        {(!signed || signed.changed) && (
          <Button
            variant={isEmpty ? 'plain' : 'main'}
            className="max-sm:flex-1"
            busy={sign.busy}
            onClick={() => sign.run()}
          >
            {signed ? 'Signer à nouveau' : 'Signer la journée'}
          </Button>
        )}
        <Button variant="plain" className="max-sm:flex-1" onClick={() => print()}>
          <PrinterIcon className="size-5" /> Imprimer
        </Button>
        <ExportButton
          className="max-sm:flex-1"
          endpoint={exportClosings}
          query={{ accountId: String(account.id), ...month }}
          nameNow={() =>
            `cloture_${account.label.match(/[\p{L}\p{N}]+/gu)?.join('-') ?? account.id}_${month.from}_${month.to}.xlsx`
          }
          counted="journée exportée"
        />
      </div>
    </section>
  );
}

type Row = [name: string, words: string];

const tallyOf = ({ count, sum }: ClosingFigures['approved'], what = 'paiement') =>
  count === 0 ? '0' : `${formatCounted(count, what)} · ${formatAmount(sum)}`;
const withSign = (hundredths: number) =>
  `${hundredths < 0 ? '− ' : hundredths > 0 ? '+ ' : ''}${francs(Math.abs(hundredths))}`;
const missingOf = ({ gaps }: ClosingFigures) => gaps.reduce((sum, { missing }) => sum + missing, 0);

/** The figures in words; what there seldom is only where there is some. */
function ledgersOf(figures: ClosingFigures): { title: string; rows: Row[] }[] {
  const { outside, undecided } = figures;
  const whereAny = (count: number, ...row: Row): Row[] => (count > 0 ? [row] : []);
  return [
    {
      title: 'Soldes du portefeuille',
      rows: [
        ['Solde de départ', francs(figures.first)],
        ['Entrées', withSign(figures.in)],
        ['Sorties', withSign(-figures.out)],
        ...whereAny(figures.gaps.length, 'Sans message', withSign(missingOf(figures))),
        ['Solde de fin', francs(figures.last)],
        ...whereAny(outside.count, 'Avant ou après ces soldes', tallyOf(outside)),
      ],
    },
    {
      title: 'Demandes',
      rows: [
        ['Approuvé', tallyOf(figures.approved)],
        ...whereAny(undecided.count, 'Relié, pas approuvé', tallyOf(undecided)),
        ['Sans demande', tallyOf(figures.withoutTicket)],
        ['Ignoré', tallyOf(figures.ignored)],
        ['Approuvé sans paiement', tallyOf(figures.withoutPayment, 'demande')],
      ],
    },
  ];
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
}: ClosingFigures['gaps'][number] & { country: string; day: string }) {
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
    </Card>
  );
}

/** Who signed the day, and what is otherwise now than it was then. */
function Signature({ signed, figures }: { signed: Closing['signed']; figures: ClosingFigures }) {
  if (!signed) return <p className="hidden print:block">Journée non signée.</p>;
  const wordsOf = (each: ClosingFigures) => new Map(ledgersOf(each).flatMap(({ rows }) => rows));
  const [then, now] = [wordsOf(signed.figures), wordsOf(figures)];
  const differing = [...new Set([...then.keys(), ...now.keys()])].filter((name) => then.get(name) !== now.get(name));
  const words = `Signée par ${signed.by ?? 'un compte supprimé'}, le ${formatDate(signed.at)}.`;
  if (!signed.changed) return <p className="font-semibold text-leaf-dark">{words}</p>;
  return (
    <div className={join('rounded-card border px-4 py-2.5', amberLook)}>
      <h3 className="font-semibold">A changé depuis la signature</h3>
      <p className="text-ink text-body">{words}</p>
      <ul className="mt-1 text-ink text-body">
        {differing.map((name) => (
          <li key={name} className="tabular-nums">
            {`${name}\u00a0: ${then.get(name) ?? 'rien'} à la signature, ${now.get(name) ?? 'rien'} maintenant`}
          </li>
        ))}
        {differing.length === 0 && <li>Le détail des lignes a changé, les totaux sont les mêmes.</li>}
      </ul>
    </div>
  );
}

import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { payment } from './payments.ts';
import { component, count, documented, freeText, id, idInPath, instant, words } from './shapes.ts';

const day = documented(z.iso.date('Jour attendu au format 2026-11-21.').check(z.startsWith('20', 'Jour invalide.')), {
  description: "On the clock of the account's country.",
});
const balance = documented(z.int(), { description: 'As the wallet told it, in hundredths of a franc.' });
const moved = documented(count, { description: 'Between the two balances, in hundredths of a franc.' });
const tally = component('ClosingTally', z.object({ count, sum: documented(count, { description: 'CFA francs.' }) }));
const gapSide = z.object({ id, paidAt: instant, reference: z.nullable(words()), balance });
const gap = component(
  'ClosingGap',
  z.object({
    before: gapSide,
    after: gapSide,
    missing: documented(z.int(), { description: 'Hundredths that no line explains; negative where they left.' }),
  }),
);
const figures = component(
  'ClosingFigures',
  z.object({
    first: z.nullable(balance),
    last: z.nullable(balance),
    in: moved,
    out: moved,
    outside: documented(tally, { description: 'Lines of the day before its first balance, or after its last.' }),
    approved: tally,
    undecided: documented(tally, { description: 'Lines with a ticket that is not approved.' }),
    withoutTicket: tally,
    ignored: tally,
    withoutPayment: documented(z.extend(tally, { ticketIds: z.array(id) }), {
      description: "Tickets of the account's payment type and country that were approved on the day without a line.",
    }),
    gaps: documented(z.array(gap), { description: 'Where a balance does not follow from the one before.' }),
  }),
);
export type ClosingFigures = z.output<typeof figures>;
const reason = () => freeText(200);
const reasons = component(
  'ClosingReasons',
  z.object({
    gaps: documented(z.array(z.object({ lineId: id, reason: reason() })).check(z.maxLength(1_000)), {
      description: 'Why each gap is, by the line after it.',
    }),
    unfinished: z.optional(documented(reason(), { description: 'Why it is signed before the day is over.' })),
  }),
);
export type ClosingReasons = z.output<typeof reasons>;

const signature = { by: z.nullable(words()), at: instant, figures };
const closing = component(
  'Closing',
  z.object({
    figures,
    isWhole: documented(z.boolean(), { description: 'Balances are told, and each follows from the one before.' }),
    digest: documented(words(), { description: 'Of the figures: what is signed.' }),
    signed: z.nullable(z.object({ ...signature, changed: z.boolean(), reasons })),
    earlier: documented(z.array(z.object(signature)), { description: 'Signatures before that one, the last first.' }),
  }),
);
export type Closing = z.output<typeof closing>;

/** Whether money moved, or a ticket was approved without a line. */
export const hasMovement = (of: ClosingFigures): boolean =>
  of.in + of.out + of.outside.count + of.withoutPayment.count > 0;

export const readClosing = endpoint('readClosing', 'GET', '/api/admin/payments/closings', {
  access: 'admin',
  summary: "An account's day: whether the balances that its wallet told follow one another, and what was approved.",
  query: z.object({ accountId: idInPath, day }),
  response: closing,
  failures: ['PAYMENT_ACCOUNT_NOT_FOUND'],
  topics: ['payments', 'tickets', 'users'],
});

const daysAtOnce = 92;
/** Days of an account, the first and the last of which are named. */
const period = () =>
  // An invalid day is refused by its own check, since its NaN never compares as later.
  z.object({ accountId: idInPath, from: day, to: day }).check(
    z.refine(({ from, to }) => !(Date.parse(to) < Date.parse(from)), {
      path: ['to'],
      message: 'La fin doit suivre le début.',
    }),
    z.refine(({ from, to }) => !(Date.parse(to) - Date.parse(from) >= daysAtOnce * 86_400_000), {
      path: ['to'],
      message: `${daysAtOnce} jours au plus.`,
    }),
  );

/** `gap` and `open` are not signed, and `changed` is not what was signed. */
export const closingStates = ['open', 'gap', 'signed', 'changed'] as const;
export type ClosingState = (typeof closingStates)[number];

export const stateOf = ({ signed, figures }: Closing): ClosingState =>
  signed ? (signed.changed ? 'changed' : 'signed') : figures.gaps.length > 0 ? 'gap' : 'open';

export const listClosingDays = endpoint('listClosingDays', 'GET', '/api/admin/payments/closings/days', {
  access: 'admin',
  summary: `How an account's days stand, each with a movement or a signature; ${daysAtOnce} days at most.`,
  query: period(),
  response: z.array(component('ClosingDay', z.object({ day: words(), state: z.enum(closingStates) }))),
  failures: ['PAYMENT_ACCOUNT_NOT_FOUND'],
  topics: ['payments', 'tickets', 'users'],
});

export const exportClosings = endpoint('exportClosings', 'GET', '/api/admin/payments/closings/export', {
  access: 'admin',
  summary: `An account's days as an Excel file, a row for each with a movement or a signature; ${daysAtOnce} days at most.`,
  query: period(),
  download: { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  response: z.any(),
  counted: true,
  failures: ['PAYMENT_ACCOUNT_NOT_FOUND', 'EXPORT_BUSY', 'NOTHING_TO_EXPORT'],
  topics: ['payments', 'tickets', 'users'],
  audit: { title: 'Clôtures exportées', fields: [] },
});

/** Most lines listed for a day on paper. */
export const linesListed = 5_000;

export const listClosingLines = endpoint('listClosingLines', 'GET', '/api/admin/payments/closings/lines', {
  access: 'admin',
  summary: `The lines of an account's day in their order, for its paper; ${linesListed.toLocaleString('en')} at most.`,
  query: z.object({ accountId: idInPath, day }),
  response: z.array(payment),
  counted: true,
  failures: ['PAYMENT_ACCOUNT_NOT_FOUND'],
  topics: ['payments', 'tickets', 'users'],
});

export const signClosing = endpoint('signClosing', 'POST', '/api/admin/payments/closings', {
  access: 'admin',
  summary:
    'Signs a day as it was seen, by the digest of that, with a reason for each gap and for a day that is not over. Earlier signatures stay.',
  body: z.object({ accountId: id, day, digest: freeText(100), reasons: z.prefault(reasons, { gaps: [] }) }),
  response: closing,
  failures: ['PAYMENT_ACCOUNT_NOT_FOUND', 'CLOSING_CHANGED'],
  audit: { title: 'Journée signée', about: 'payment-account', fields: ['day'] },
});

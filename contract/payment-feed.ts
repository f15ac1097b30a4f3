import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { payment } from './payments.ts';
import { countryCodes } from './phone.ts';
import {
  component,
  count,
  deleted,
  documented,
  expectedUpdatedAt,
  formed,
  id,
  idInPath,
  idParams,
  instant,
  listOf,
  nameText,
  text,
  words,
} from './shapes.ts';

const country = z.enum(countryCodes);

export const statementBytes = 32 * 1024 * 1024;
export const statementTooLarge = `La taille maximale d'un relevé est de ${statementBytes / 1024 / 1024} Mo.`;
export const rowsPreviewed = 10;

const told = {
  direction: true,
  state: true,
  gross: true,
  fee: true,
  reference: true,
  payer: true,
  paidAt: true,
} as const;
const statementRow = component('StatementRow', z.extend(z.pick(payment, told), { row: count }));

export const importStatement = endpoint('importStatement', 'POST', '/api/admin/payments/imports', {
  access: 'admin',
  summary:
    'Reads a statement: multipart `file`, `accountId` and `dryRun`. A dry run writes nothing; the same file twice changes nothing.',
  upload: { fileField: 'file', required: true, kind: 'statement' },
  body: z.object({
    accountId: documented(z.union([idInPath, id]), { input: { type: 'integer', minimum: 1, maximum: 2147483647 } }),
    dryRun: documented(
      z.pipe(
        z.union([z.boolean(), z.enum(['true', 'false'])]),
        z.transform((value) => value === true || value === 'true'),
      ),
      { input: { type: 'boolean' } },
    ),
  }),
  response: component(
    'StatementImport',
    z.object({
      model: documented(words(), { description: 'The form of the file, as recognised.' }),
      wallet: documented(words(), { description: 'Whose statement it is, such as Orange Money.' }),
      from: z.nullable(instant),
      to: z.nullable(instant),
      rows: count,
      payments: documented(count, { description: 'Rows of received payments.' }),
      created: count,
      completed: documented(count, { description: 'Lines known from another input, which this one adds to.' }),
      unchanged: count,
      faults: z.array(z.object({ row: documented(count, { description: 'Of the file, from 1.' }), message: words() })),
      first: z.array(statementRow),
      written: documented(z.boolean(), { description: 'False for a dry run, and for a file that was applied before.' }),
    }),
  ),
  failures: ['PAYMENT_ACCOUNT_NOT_FOUND', 'STATEMENT_UNKNOWN', 'IMPORT_BUSY'],
  audit: { title: 'Relevé importé', fields: ['accountId', 'dryRun'] },
});

export const paymentImport = component(
  'PaymentImport',
  z.object({
    id,
    accountId: id,
    fileName: words(),
    model: documented(words(), { description: 'The form of the file, as recognised.' }),
    wallet: documented(words(), { description: 'Whose statement it is, such as Orange Money.' }),
    created: documented(count, { description: 'Lines that it added.' }),
    completed: documented(count, { description: 'Lines known from another input, which it added to.' }),
    by: documented(z.nullable(words()), { description: 'Who imported it; null once that person is deleted.' }),
    createdAt: instant,
  }),
);
export type PaymentImport = z.output<typeof paymentImport>;

export const listPaymentImports = endpoint('listPaymentImports', 'GET', '/api/admin/payments/imports', {
  access: 'admin',
  summary: 'The last statements that were imported into an account, and not undone; the last one first.',
  query: z.object({ account: idInPath }),
  response: z.array(paymentImport),
  topics: ['payments', 'user-names'],
});

export const undoPaymentImport = endpoint('undoPaymentImport', 'DELETE', '/api/admin/payments/imports/:id', {
  access: 'admin',
  summary:
    'Takes an import back, whole: lines that it alone tells of are deleted, the others are as if it had not been.',
  params: idParams,
  response: z.object({
    deleted: count,
    restored: documented(count, { description: 'Lines that other inputs tell, without what the statement said.' }),
  }),
  failures: ['PAYMENT_NOT_FOUND', 'PAYMENT_TAKEN'],
  audit: { title: 'Import de relevé annulé', fields: [] },
});

export const sourceKinds = ['sms', 'wave'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** Faults of a source's last call; some calls are refused, others accepted all the same. */
export const sourceTroubles = ['signature', 'clock', 'text', 'sender'] as const;
export type SourceTrouble = (typeof sourceTroubles)[number];

const source = component(
  'PaymentSource',
  z.object({
    id,
    kind: z.enum(sourceKinds),
    name: documented(z.nullable(words()), { description: 'As a person named it; null of one without a name.' }),
    isSigned: documented(z.boolean(), { description: 'Whether messages must carry a signature.' }),
    lastSeenAt: z.nullable(instant),
    isSilent: documented(z.boolean(), { description: 'Heard of before, and not for a day.' }),
    trouble: documented(
      z.nullable(
        z.object({
          kind: z.enum(sourceTroubles),
          minutes: documented(z.nullable(z.int()), { description: 'How far its clock is behind, where it is that.' }),
          at: instant,
        }),
      ),
      {
        description:
          'What is wrong with what it sends, until it sends something without that: another signature, which is refused; a wrong clock, no readable text, no sender.',
      },
    ),
    sim: documented(z.nullable(words()), {
      description: 'The SIM whose messages count: the first one, until a person chooses.',
    }),
    isSimChosen: documented(z.boolean(), { description: "Whether a person said which of its SIMs is the account's." }),
    sims: documented(z.array(z.object({ sim: words(), messages: count, lastAt: z.nullable(instant) })), {
      description: 'The SIMs that its messages of the last 30 days came to. Of several, a person chooses one.',
    }),
    createdAt: instant,
  }),
);
export type PaymentSource = z.output<typeof source>;

const accountFields = {
  number: text(40, 'Le numéro du compte est requis.'),
  label: nameText(60, 'Le nom du compte est requis.'),
  allowedSenders: documented(listOf(text(30), { max: 10 }), {
    description: "Names that the operator's SMS come from; others are refused.",
  }),
};

export const paymentAccount = component(
  'PaymentAccount',
  z.object({
    id,
    paymentTypeId: documented(z.nullable(id), { description: 'Null once the payment type is deleted.' }),
    country,
    number: words(),
    label: words(),
    allowedSenders: z.array(words()),
    isActive: z.boolean(),
    sources: z.array(source),
    messages: documented(count, { description: 'Of the last seven days.' }),
    unread: documented(count, { description: 'Messages of these that no pattern knows.' }),
    createdAt: instant,
    updatedAt: instant,
  }),
);
export type PaymentAccount = z.output<typeof paymentAccount>;

export const listPaymentAccounts = endpoint('listPaymentAccounts', 'GET', '/api/admin/payments/accounts', {
  access: 'admin',
  summary: 'The accounts that payments come in on, with their sources.',
  response: z.array(paymentAccount),
  topics: ['payments'],
  dependsOnTime: true,
});

export const createPaymentAccount = endpoint('createPaymentAccount', 'POST', '/api/admin/payments/accounts', {
  access: 'admin',
  summary: 'Adds an account that payments come in on.',
  body: z.object({
    ...accountFields,
    paymentTypeId: id,
    country,
    allowedSenders: z._default(accountFields.allowedSenders, []),
  }),
  response: paymentAccount,
  status: 201,
  failures: ['PAYMENT_TYPE_NOT_FOUND', 'PAYMENT_ACCOUNT_TAKEN'],
  audit: {
    title: 'Compte de paiement ajouté',
    about: 'payment-account',
    fields: ['paymentTypeId', 'country', 'label'],
  },
});

export const updatePaymentAccount = endpoint('updatePaymentAccount', 'PUT', '/api/admin/payments/accounts/:id', {
  access: 'admin',
  summary: 'Changes an account; omitted fields keep their value.',
  params: idParams,
  body: z.extend(z.partial(z.object({ ...accountFields, isActive: z.boolean() })), { expectedUpdatedAt }),
  response: paymentAccount,
  failures: ['PAYMENT_ACCOUNT_NOT_FOUND', 'PAYMENT_ACCOUNT_TAKEN', 'CHANGED_MEANWHILE'],
  audit: { title: 'Compte de paiement modifié', about: 'payment-account', fields: ['label', 'isActive'] },
});

/** The secret of a wallet's server, or of a phone app that signs: at least 8 characters, against guessing. */
const signingSecret = documented(z.optional(formed(/^[\x21-\x7e]{8,200}$/, 'De 8 à 200 caractères, sans espace.')), {
  description: 'What messages are signed with; for Wave one is made where none is given.',
});

const opened = z.object({
  id,
  address: documented(words(), { description: 'Told once: it holds the secret.' }),
  secret: documented(z.optional(words()), { description: 'What messages are to be signed with. Told once.' }),
});

export const createPaymentSource = endpoint('createPaymentSource', 'POST', '/api/admin/payments/sources', {
  access: 'admin',
  summary: 'Makes an address that a phone or a wallet sends payments to.',
  body: z.object({
    accountId: id,
    kind: z.enum(sourceKinds),
    name: z.optional(nameText(60, 'Le nom est requis.')),
    signingSecret,
  }),
  response: opened,
  status: 201,
  failures: ['PAYMENT_ACCOUNT_NOT_FOUND'],
  audit: { title: 'Source de paiements ajoutée', about: 'payment-source', fields: ['accountId', 'kind', 'name'] },
});

export const rotatePaymentSource = endpoint('rotatePaymentSource', 'POST', '/api/admin/payments/sources/:id/rotation', {
  access: 'admin',
  summary: 'Makes another address and secret; each one before holds for 24 hours from its change.',
  params: idParams,
  body: z.object({ signingSecret }),
  response: opened,
  failures: ['PAYMENT_SOURCE_NOT_FOUND'],
  audit: { title: "Adresse d'une source de paiements changée", about: 'payment-source', fields: [] },
});

export const choosePaymentSim = endpoint('choosePaymentSim', 'POST', '/api/admin/payments/sources/:id/sim', {
  access: 'admin',
  summary:
    "Says which SIM of a phone receives the account's payments: what waited for it is read, and what came to another one is ignored.",
  params: idParams,
  body: z.object({ sim: text(60) }),
  response: component(
    'ChosenSim',
    z.object({
      payments: documented(count, { description: 'Messages of the SIM that became payments.' }),
      ignored: documented(count, {
        description: 'Lines of another SIM that no request has, and that are ignored now.',
      }),
    }),
  ),
  failures: ['PAYMENT_SOURCE_NOT_FOUND'],
  audit: { title: "SIM d'un téléphone choisie", about: 'payment-source', fields: ['sim'] },
});

export const deletePaymentSource = endpoint('deletePaymentSource', 'DELETE', '/api/admin/payments/sources/:id', {
  access: 'admin',
  summary: 'Ends a source; what it sent stays.',
  params: idParams,
  response: deleted,
  failures: ['PAYMENT_SOURCE_NOT_FOUND'],
  audit: { title: 'Source de paiements supprimée', about: 'payment-source', fields: [] },
});

const feedParams = z.object({ secret: formed(/^[\w-]{32,100}$/, 'Cette adresse est inconnue.') });
const received = z.object({ received: z.literal(true) });

export const feedBytes = 64 * 1024;
/** A body of any form is stored. The two forms below are read by their fields. */
const anyBody = documented(formed(/^[\s\S]/, 'Un texte est attendu.'), {
  description: 'Anything else, of any media type: kept as a text.',
});
const stamp = z.optional(z.union([z.number(), words()]));

/** What *Incoming SMS to URL forwarder* posts. */
const forwardedSms = component(
  'ForwardedSms',
  z.object({
    from: words(),
    text: words(),
    sentStamp: documented(stamp, { description: 'Milliseconds or seconds since 1970, or ISO 8601.' }),
    receivedStamp: stamp,
    sim: z.optional(words()),
  }),
);

/** What *SMS Gateway* (capcom6) posts: a message, or a sign of life. */
const gatewaySms = component(
  'GatewaySms',
  z.object({
    event: words(),
    payload: z.optional(
      z.object({
        sender: z.optional(words()),
        phoneNumber: z.optional(words()),
        message: z.optional(words()),
        receivedAt: z.optional(instant),
        simNumber: z.optional(z.nullable(z.int())),
      }),
    ),
  }),
);

export const receivePaymentSms = endpoint('receivePaymentSms', 'POST', '/api/payment-feed/:secret/sms', {
  access: 'anyone',
  fromMachines: true,
  summary: "A wallet's SMS, forwarded by a phone; the secret is in the address.",
  params: feedParams,
  body: z.union([forwardedSms, gatewaySms, anyBody]),
  bodyBytes: feedBytes,
  response: received,
  failures: ['NOT_SIGNED_IN', 'SIGNATURE_INVALID'],
});

const waveEvent = component('WaveEvent', z.object({ id: words(), type: words(), data: z.optional(z.unknown()) }));

export const receiveWaveEvent = endpoint('receiveWaveEvent', 'POST', '/api/payment-feed/:secret/wave', {
  access: 'anyone',
  fromMachines: true,
  summary: "An event of Wave's server, signed over its time and its raw body; the secret is in the address.",
  params: feedParams,
  body: z.union([waveEvent, anyBody]),
  bodyBytes: feedBytes,
  response: received,
  failures: ['NOT_SIGNED_IN', 'SIGNATURE_INVALID'],
});

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { openProductKeys } from '#server/database/product-keys.ts';
import { readClosing } from '#server/features/payments/closing/closings.ts';
import { openSeal } from '#server/features/payments/intake/seal.ts';
import { signUpBody, startReset, startSignUp, takeResetToken } from './auth-steps.ts';
import { imageForm, orderBody, serviceForm, statementForm } from './bodies.ts';
import {
  buildPaymentMessage,
  buildPaymentSource,
  buildService,
  buildUser,
  knownPassword,
  nextNumber,
  nextPhone,
} from './builders.ts';
import { makeBrowser } from './push-service.ts';
import type { Stage } from './stage.ts';
import { signedByWave, waveEvent } from './wave-event.ts';

interface Example {
  /** With its '?'. */
  query?: string;
  body?: object;
  headers?: Record<string, string>;
  /** In place of the endpoint's path filled in. */
  url?: string;
}

const operators = path.resolve(import.meta.dirname, '../features/payments/intake/operators');
/** A statement of Orange Burkina Faso. */
export const readStatement = () => readFileSync(path.join(operators, 'orange-bf/statements/transferts.csv'));

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const closedDay = '2026-11-20';
const password = 'nouveau1';
/** Three days of an account, with a movement. */
const periodOf = async (stage: Stage) => {
  await stage.line();
  const [from, to] = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10));
  return { query: `?accountId=${await idOf(stage.account())}&from=${from}&to=${to}` };
};
const newUser = ({ api }: Stage) => buildUser(api.db);
const idOf = async (made: Promise<{ id: number }>) => (await made).id;

/** What a call of an endpoint needs to succeed, beside its path. One that needs nothing, such as most reads, is not here. */
export const examples: Record<string, (stage: Stage) => Example | Promise<Example>> = {
  signUp: () => ({ body: signUpBody(nextPhone()) }),
  signIn: async (stage) => ({ body: { phoneOrEmail: (await newUser(stage)).phone, password: knownPassword } }),
  verifyOtp: async ({ api }) => {
    const phone = nextPhone();
    return { body: { phone, code: (await startSignUp(api, phone)).code } };
  },
  resendOtp: async ({ api }) => {
    const phone = nextPhone();
    await startSignUp(api, phone);
    return { body: { phone } };
  },
  forgotPassword: async (stage) => ({ body: { phoneOrEmail: (await newUser(stage)).phone } }),
  verifyResetOtp: async (stage) => {
    const { phone } = await newUser(stage);
    return { body: { phone, code: (await startReset(stage.api, phone)).code } };
  },
  resendResetOtp: async (stage) => {
    const { phone } = await newUser(stage);
    await startReset(stage.api, phone);
    return { body: { phone } };
  },
  resetPassword: async (stage) => {
    const { token } = await takeResetToken(stage.api, (await newUser(stage)).phone);
    return { body: { newPassword: password, confirmPassword: password, token } };
  },
  changePassword: () => ({
    body: { currentPassword: knownPassword, newPassword: knownPassword, confirmPassword: knownPassword },
  }),
  changeProfile: () => ({ body: { firstName: 'Zoé', lastName: 'Sow', email: null } }),
  resetUserPassword: () => ({ body: { password } }),

  createService: () => ({ body: serviceForm({ name: 'Eau' }) }),
  updateService: () => ({ body: serviceForm({ name: 'Gaz' }) }),
  reorderServices: async ({ api }) => {
    const parent = await buildService(api.db);
    const [one, two] = [await buildService(api.db, {}, parent), await buildService(api.db, {}, parent)];
    return { body: { parentId: parent[0]?.id, ids: [two.at(-1)?.id, one.at(-1)?.id] } };
  },
  importCatalogue: () => ({ body: { csv: 'name\nEau', dryRun: false } }),
  readCommission: () => ({ query: '?userPrice=1000' }),
  createPaymentType: () => ({ body: { name: randomUUID() } }),
  updatePaymentType: () => ({ body: { isActive: false } }),
  createDialTemplate: () => ({ body: { country: '+228', template: '*145*{montant}*{marchand}#' } }),
  updateDialTemplate: () => ({ body: { template: '*144*{marchand}*XX#', state: 'broken', message: 'En panne' } }),
  saveMerchantNumbers: () => ({ body: { numbers: [{ country: '+226', number: '12 34 567' }] } }),
  uploadPaymentTypePicture: () => ({ body: imageForm('picture', dot) }),
  createContentPage: () => ({ body: { slug: randomUUID(), title: 'Aide', content: 'Texte', isActive: true } }),
  updateContentPage: () => ({ body: { title: 'Autre' } }),
  savePageBackground: () => ({ body: { backgroundImage: null, opacity: 40, blur: 1 } }),
  uploadPageBackground: () => ({ body: imageForm('background', dot) }),
  // Of one person: an administrator who reads it may be in it.
  listAuditEntries: ({ owner }) => ({ query: `?actorId=${owner.id}` }),
  saveRejectReasons: () => ({ body: { reasons: [randomUUID()] } }),
  saveContact: () => ({ body: { whatsapp: nextPhone(), phone: null, email: null } }),
  saveSmsSettings: () => ({ body: { perCountryAndDay: 1_000 + nextNumber(), onDecision: false } }),
  sendTestSms: () => ({ body: { phone: nextPhone() } }),

  createTicket: async (stage) => {
    const { name } = await stage.paymentType();
    return { body: orderBody(await stage.path(), { paymentTypeName: name, totalPrice: '1005' }) };
  },
  declarePayment: () => ({ body: { reference: 'PP240512.1234.A12345' } }),
  reportCode: () => ({ body: { reason: 'no-answer' } }),
  readReceiptCode: async (stage) => ({ url: `/api/tickets/${await idOf(stage.approvedTicket())}/receipt` }),
  changeTicketStatus: () => ({ body: { status: 'rejected', reason: 'Illisible' } }),
  decideTickets: async (stage) => ({
    body: { status: 'approved', tickets: [{ id: await idOf(stage.ticket()) }] },
  }),
  exportTickets: async (stage) => {
    await stage.ticket();
    return { query: '?timeZone=Africa/Lome' };
  },
  readDashboard: () => ({ query: '?timeZone=Africa/Lome' }),
  saveBeneficiary: () => ({ body: { name: randomUUID() } }),
  savePushSubscription: () => ({ body: makeBrowser('https://fcm.googleapis.com').form }),
  deletePushSubscription: () => ({ body: { endpoint: 'https://fcm.googleapis.com/fcm/send/x' } }),

  approvePayments: async (stage) => ({
    body: { pairs: [{ lineId: await idOf(stage.line()), ticketId: await idOf(stage.ticket()) }] },
  }),
  matchPayment: async (stage) => ({ body: { ticketId: await idOf(stage.ticket()) } }),
  unmatchPayment: async (stage) => ({
    url: `/api/admin/payments/lines/${await idOf(stage.matchedLine())}/unmatch`,
  }),
  ignorePayment: () => ({ body: {} }),
  remindPayer: async (stage) => ({ body: { ticketId: await idOf(stage.ticket()) } }),
  recordPayment: async (stage) => {
    const paidAt = new Date().toISOString();
    return { body: { accountId: await idOf(stage.account()), gross: 500, reference: null, payer: null, paidAt } };
  },
  lookAtShape: async ({ api, account }) => {
    const accountId = await idOf(account());
    const { messages } = await openProductKeys(api.db);
    const sealedText = openSeal(messages).seal('Forme inconnue : 500 FCFA du 70000011. ID: X12345');
    const { id } = await buildPaymentMessage(api.db, { accountId, sealedText });
    const body = { accountId, gross: 500, reference: 'X12345', payer: '70000011' };
    return { url: `/api/admin/payments/messages/${id}/shape`, body };
  },
  readClosing: async (stage) => ({ query: `?accountId=${await idOf(stage.account())}&day=${closedDay}` }),
  listClosingLines: async (stage) => ({ query: `?accountId=${await idOf(stage.account())}&day=${closedDay}` }),
  listClosingDays: periodOf,
  exportClosings: periodOf,
  signClosing: async (stage) => {
    const seen = { accountId: await idOf(stage.account()), day: closedDay };
    const { digest } = await readClosing(stage.api.db, seen);
    return { body: { ...seen, digest } };
  },
  readMessages: () => ({ body: { text: 'Bonjour' } }),
  takeMessages: async (stage) => ({ body: { text: 'Bonjour', accountId: await idOf(stage.account()) } }),
  importStatement: async (stage) => ({
    body: statementForm({ accountId: await idOf(stage.account()), dryRun: false }, readStatement()),
  }),
  listPaymentImports: async (stage) => ({ query: `?account=${await idOf(stage.account())}` }),
  createPaymentAccount: async (stage) => ({
    body: { paymentTypeId: await idOf(stage.paymentType()), country: '+228', number: '90 00 00 00', label: 'Lomé' },
  }),
  updatePaymentAccount: () => ({ body: { label: 'Caisse 2' } }),
  createPaymentSource: async (stage) => ({ body: { accountId: await idOf(stage.account()), kind: 'sms' } }),
  rotatePaymentSource: () => ({ body: {} }),
  choosePaymentSim: () => ({ body: { sim: 'SIM1' } }),
  receivePaymentSms: async (stage) => ({
    url: (await stage.source()).path,
    body: { from: 'OrangeMoney', text: 'Bonjour' },
  }),
  receiveWaveEvent: async ({ api, account }) => {
    const signing = randomUUID();
    const { messages } = await openProductKeys(api.db);
    const signingSecret = openSeal(messages).seal(signing);
    const source = { kind: 'wave' as const, signingSecret, accountId: await idOf(account()) };
    const { path } = await buildPaymentSource(api.db, source);
    const body = waveEvent({ id: `T_${randomUUID()}` });
    return { body, ...signedByWave(path, signing, body) };
  },
};

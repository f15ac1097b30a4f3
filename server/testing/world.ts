import { randomUUID } from 'node:crypto';
import { receiptCode, receiptKey } from '#server/features/receipts/receipt-codes.ts';
import {
  buildAdmin,
  buildCaller,
  buildDialTemplate,
  buildFinalService,
  buildMatchedLine,
  buildNotification,
  buildPaymentAccount,
  buildPaymentLine,
  buildPaymentMessage,
  buildPaymentSource,
  buildPaymentType,
  buildTicket,
} from './builders.ts';
import { secret, type TestApi } from './test-api.ts';
import { buildWaveCall } from './wave-call.ts';

export type World = Awaited<ReturnType<typeof buildWorld>>;
/** What writes: who calls what, with a body that is made, and what it needs done, before anything is read. */
export type Call = [
  by: keyof World['clients'],
  call: string,
  body?: (world: World) => object | Promise<object>,
  headers?: (world: World) => Record<string, string>,
];

/**
 * Six callers, and one thing of each kind; `{name}` in a text becomes the id of what has that name, or its address. What came
 * in before goes: it might pay what is here.
 */
export async function buildWorld(api: TestApi) {
  const { user: a, client: byA } = await buildCaller(api);
  const { user: b, client: byB } = await buildCaller(api);
  const { user: administrator, client: byAdmin } = await buildAdmin(api);
  const guestFields = { phone: `guest:${randomUUID()}`, isGuest: true, isVerified: false, password: null };
  const { user: guest, client: byGuest } = await buildCaller(api, guestFields);
  const { user: unverified, client: byUnverified } = await buildCaller(api, { isVerified: false });
  const commissionRanges = [{ minPrice: 1, maxPrice: null, commissionType: 'fixed' as const, commissionValue: 5 }];
  const [root, final] = await buildFinalService(api.db, { commissionType: 'range', commissionRanges });
  const paymentType = await buildPaymentType(api.db, randomUUID());
  await api.pool.query('insert into payment_types (name, is_active) values ($1, false)', [randomUUID()]);
  const page = { slug: randomUUID(), title: 'Aide', content: 'Texte' };
  const { body: stored } = await byAdmin.post('/api/admin/content-pages', page);
  await byAdmin.post('/api/admin/background-settings', { opacity: 10, blur: 1 });
  const template = await buildDialTemplate(api.db, paymentType.id);
  const named = {
    serviceId: final?.id ?? null,
    paymentTypeId: paymentType.id,
    paymentTypeName: paymentType.name,
    dialCode: '*144*1#',
    dialTemplateId: template.id,
  };
  const ticket = await buildTicket(api.db, a.id, named);
  const notification = await buildNotification(api.db, a.id);
  await buildNotification(api.db, b.id);
  await byA.send('PUT', '/api/beneficiaries/+22670000001', { name: 'Maman' });
  const payments = await buildPayments(api, { paymentTypeId: paymentType.id, payer: a.phone, paidBy: b.id });
  const roles = { a, b, admin: administrator, guest, unverified };
  const things = { ...roles, root, final, paymentType, template, page: stored, ticket, ...payments.things };
  const ids = Object.entries<{ id: number } | undefined>({ ...things, notification });
  const idOf = Object.fromEntries(ids.map(([name, thing]) => [name, String(thing?.id)]));
  idOf.receipt = receiptCode(receiptKey(secret), ticket);
  idOf.sms = payments.things.source.path;
  idOf.wave = payments.wave.url;
  const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name) => idOf[name] ?? page.slug);
  const people = { guest: byGuest, unverified: byUnverified, a: byA, b: byB, admin: byAdmin };
  return { ...things, wave: payments.wave, clients: { stranger: api.client(), ...people }, idOf, fill };
}

/** An account with a source and an unread message; a line of `payer` without a ticket, and one that pays a ticket of `paidBy`. */
async function buildPayments(
  { db, pool }: TestApi,
  { paymentTypeId, payer, paidBy }: { paymentTypeId: number; payer: string; paidBy: number },
) {
  await pool.query('delete from payment_accounts');
  const account = await buildPaymentAccount(db, { paymentTypeId });
  const of = { accountId: account.id };
  const source = await buildPaymentSource(db, of);
  const message = await buildPaymentMessage(db, of);
  const line = await buildPaymentLine(db, { ...of, payer });
  const paid = await buildTicket(db, paidBy, { status: 'approved' });
  const paidLine = await buildMatchedLine(db, paid.id, of);
  return { things: { account, source, message, line, paid, paidLine }, wave: await buildWaveCall(db, of) };
}

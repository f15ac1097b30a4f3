import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { NewService } from '#contract/catalogue-edits.ts';
import { newService } from '#contract/catalogue-edits.ts';
import type { Db } from '#server/database/connect.ts';
import { insertRow } from '#server/database/store.ts';
import { insertService, replaceRanges } from '#server/features/catalogue/store.ts';
import { createSession } from '#server/features/entry/sessions-store.ts';
import { notifications } from '#server/features/notifications/tables.ts';
import { insertDialTemplate } from '#server/features/payment-types/dial-templates-store.ts';
import { insertPaymentType } from '#server/features/payment-types/store.ts';
import { type dialTemplates, merchantNumbers } from '#server/features/payment-types/tables.ts';
import { bitOf } from '#server/features/payments/intake/lines.ts';
import { secretHashOf } from '#server/features/payments/intake/seal.ts';
import { insertAccount, insertSource } from '#server/features/payments/intake/store.ts';
import {
  type paymentAccounts,
  paymentImports,
  paymentLines,
  paymentMessages,
  paymentShapes,
  type paymentSources,
} from '#server/features/payments/intake/tables.ts';
import { paymentMatches } from '#server/features/payments/matching/tables.ts';
import type { TicketRow } from '#server/features/tickets/store.ts';
import { ticketEvents, tickets } from '#server/features/tickets/tables.ts';
import { hashPassword, type PasswordCost } from '#server/features/users/password.ts';
import type { UserRow } from '#server/features/users/store.ts';
import { users } from '#server/features/users/tables.ts';
import type { TestApi, TestClient } from './test-api.ts';

/** The least that argon2 takes: tests hash thousands of passwords. `password.test.ts` holds what the product's cost. */
export const passwordCost: PasswordCost = { memory: 8, passes: 1, parallelism: 1 };

/** The password of every built user. */
export const knownPassword = 'un-mot-de-passe-connu';
const hashed = hashPassword(knownPassword, passwordCost);
let last = 0;

/** A number that no other call of this process gets, for what must differ from what others made. */
export function nextNumber(): number {
  last += 1;
  return last;
}

/** A fresh mobile number of Burkina Faso, in E.164. */
export function nextPhone(): string {
  return `+22670${String(nextNumber()).padStart(6, '0')}`;
}

/** A verified user of Burkina Faso, unless told otherwise. */
export async function buildUser(db: Db, fields: Partial<typeof users.$inferInsert> = {}): Promise<UserRow> {
  const account = { firstName: 'Awa', lastName: 'Ouédraogo', phone: nextPhone(), isVerified: true };
  return insertRow(db, users, { ...account, password: await hashed, ...fields });
}

/** A caller with a session of this user. */
export async function signInAs(api: TestApi, user: Pick<UserRow, 'id' | 'isAdmin' | 'password'>): Promise<TestClient> {
  const id = randomBytes(32).toString('base64url');
  const sid = createHash('sha256').update(id).digest('hex');
  await createSession(api.db, { sid, previous: undefined, user });
  const client = api.client();
  client.cookies.set('guichet_session', id);
  return client;
}

/** A new user of that kind and a caller signed in as them. */
export async function buildCaller(api: TestApi, fields: Partial<typeof users.$inferInsert> = {}) {
  const user = await buildUser(api.db, fields);
  return { user, client: await signInAs(api, user) };
}

export const buildAdmin = (api: TestApi) => buildCaller(api, { firstName: 'Fatou', isAdmin: true });

/** A service under the given path (none: a root); answers its whole path, itself last. */
export async function buildService(
  db: Db,
  fields: Partial<NewService> = {},
  under: { id: number; level: number }[] = [],
): Promise<{ id: number; level: number }[]> {
  const parent = under.at(-1);
  const level = (parent?.level ?? 0) + 1;
  const {
    removeImage: _,
    commissionRanges,
    ...data
  } = newService.parse({
    name: `Service ${level}`,
    parentId: parent?.id ?? null,
    ...fields,
  });
  const id = await insertService(db, { ...data, level, pictureUrl: null });
  await replaceRanges(db, id, commissionRanges);
  return [...under, { id, level }];
}

/** A final service two levels down: 1 000 FCFA, commission 100, unless told otherwise. */
export async function buildFinalService(db: Db, fields: Partial<NewService> = {}) {
  const root = await buildService(db, { name: 'Transfert' });
  return buildService(
    db,
    {
      name: 'Envoi',
      price: '1 000 FCFA',
      isFinalLevel: true,
      commissionValue: 100,
      phoneNumber: '*144*10*00000000*XX#',
      ...fields,
    },
    root,
  );
}

export const buildPaymentType = (db: Db, name = 'Orange Money') => insertPaymentType(db, { name });

/** A payment type's own code in Burkina Faso, of Orange, unless told otherwise. */
export const buildDialTemplate = (
  db: Db,
  paymentTypeId: number,
  fields: Partial<typeof dialTemplates.$inferInsert> = {},
) => insertDialTemplate(db, { paymentTypeId, country: '+226', template: '*144*10*{marchand}*{montant}#', ...fields });

/** A payment type's merchant number, in Burkina Faso unless told otherwise. */
export const buildMerchantNumber = (
  db: Db,
  paymentTypeId: number,
  fields: Partial<typeof merchantNumbers.$inferInsert> = {},
) => insertRow(db, merchantNumbers, { paymentTypeId, country: '+226', number: '1234567', ...fields });

/** A pending ticket of this user, filed without going through the API. */
export async function buildTicket(
  db: Db,
  userId: number,
  fields: Partial<typeof tickets.$inferInsert> = {},
): Promise<TicketRow> {
  const filed = await insertRow(db, tickets, {
    userId,
    paymentTypeName: 'Orange Money',
    amount: 1000,
    commission: 100,
    totalPrice: '1100',
    servicePath: [{ id: 1, name: 'Envoi', price: '1 000 FCFA', level: 1 }],
    beneficiaryPhoneNumber: '+22670123456',
    fingerprint: randomBytes(8).toString('hex'),
    ...fields,
  });
  await db.insert(ticketEvents).values({ ticketId: filed.id, status: filed.status, actorId: filed.userId });
  return filed;
}

export const buildNotification = (db: Db, userId: number, title = 'Demande approuvée') =>
  insertRow(db, notifications, { userId, title, message: 'Votre demande est approuvée.' });

/** An account in Burkina Faso that payments come in on, of a payment type of its own unless told otherwise. */
export async function buildPaymentAccount(db: Db, fields: Partial<typeof paymentAccounts.$inferInsert> = {}) {
  const paymentTypeId = fields.paymentTypeId ?? (await buildPaymentType(db, randomUUID())).id;
  return insertAccount(db, { country: '+226', number: '70 00 00 00', label: 'Caisse', ...fields, paymentTypeId });
}

/** What belongs to an account: the given one, or a new one. */
const accountOf = async (db: Db, { accountId }: { accountId?: number }) =>
  accountId ?? (await buildPaymentAccount(db)).id;

/** A phone that sends unsigned SMS, unless told otherwise, with the path that it sends to. */
export async function buildPaymentSource(db: Db, fields: Partial<typeof paymentSources.$inferInsert> = {}) {
  const secret = randomBytes(32).toString('base64url');
  const accountId = await accountOf(db, fields);
  const source = await insertSource(db, { kind: 'sms', secretHash: secretHashOf(secret), ...fields, accountId });
  return { ...source, path: `/api/payment-feed/${secret}/${source.kind}` };
}

/** A message that no pattern knows, its text purged, unless told otherwise. */
export async function buildPaymentMessage(db: Db, fields: Partial<typeof paymentMessages.$inferInsert> = {}) {
  const accountId = await accountOf(db, fields);
  return insertRow(db, paymentMessages, { contentHash: randomUUID(), state: 'unread', ...fields, accountId });
}

/** A shape of SMS that was taught for a payment type of its own, unless told otherwise. */
export async function buildPaymentShape(db: Db, fields: Partial<typeof paymentShapes.$inferInsert> = {}) {
  const paymentTypeId = fields.paymentTypeId ?? (await buildPaymentType(db, randomUUID())).id;
  const template = 'Paiement de {montant} FCFA de {payeur}. ID : {reference}';
  return insertRow(db, paymentShapes, { country: '+226', template, ...fields, paymentTypeId });
}

/** 1 100 FCFA that a statement tells of and that nobody is known to have paid, unless told otherwise. */
export async function buildPaymentLine(db: Db, fields: Partial<typeof paymentLines.$inferInsert> = {}) {
  const accountId = await accountOf(db, fields);
  const settled = { direction: 'in', state: 'settled', gross: 1100, paidAt: new Date() } as const;
  return insertRow(db, paymentLines, {
    ...settled,
    lineKey: randomUUID(),
    seenIn: bitOf('file'),
    ...fields,
    accountId,
  });
}

/** An imported statement of an account, which added one line. */
export async function buildPaymentImport(db: Db, accountId: number) {
  const made = { fileName: 'releve.csv', model: 'wave-sn/export-anglais@1', operator: 'Wave', created: 1 };
  const { id } = await insertRow(db, paymentImports, { ...made, accountId });
  await buildPaymentLine(db, { accountId, importId: id });
  return { id };
}

/** A line that pays this ticket, as an administrator says. */
export async function buildMatchedLine(db: Db, ticketId: number, fields: Parameters<typeof buildPaymentLine>[1] = {}) {
  const line = await buildPaymentLine(db, fields);
  await db.insert(paymentMatches).values({ lineId: line.id, ticketId, rule: 'person', evidence: [] });
  return line;
}

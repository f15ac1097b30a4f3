import { randomUUID } from 'node:crypto';
import type { Endpoint } from '#contract/endpoint.ts';
import { openProductKeys } from '#server/database/product-keys.ts';
import { receiptCode } from '#server/features/tickets/receipt-codes.ts';
import type { TicketRow } from '#server/features/tickets/store.ts';
import type { UserRow } from '#server/features/users/store.ts';
import {
  buildAdmin,
  buildDialTemplate,
  buildFinalService,
  buildMatchedLine,
  buildNotification,
  buildPaymentAccount,
  buildPaymentImport,
  buildPaymentLine,
  buildPaymentMessage,
  buildPaymentShape,
  buildPaymentSource,
  buildPaymentType,
  buildTicket,
  buildUser,
} from './builders.ts';
import { examples } from './examples.ts';
import type { TestApi } from './test-api.ts';

/** One thing of each kind, made when it is first asked for; what is a person's is the owner's. */
export interface Stage {
  api: TestApi;
  owner: UserRow;
  ticket(): Promise<{ id: number }>;
  /** One whose receipt there is. */
  approvedTicket(): Promise<TicketRow>;
  /** A final service with its path. */
  path(): Promise<{ id: number }[]>;
  paymentType(): Promise<{ id: number; name: string }>;
  dialTemplate(): Promise<{ id: number }>;
  page(): Promise<{ id: number; slug: string }>;
  notification(): Promise<{ id: number }>;
  account(): Promise<{ id: number }>;
  source(): Promise<{ id: number; path: string }>;
  message(): Promise<{ id: number }>;
  shape(): Promise<{ id: number }>;
  line(): Promise<{ id: number }>;
  paymentImport(): Promise<{ id: number }>;
  matchedLine(): Promise<{ id: number }>;
}

export function setStage(api: TestApi, owner: UserRow): Stage {
  const { db } = api;
  const once = <T>(make: () => Promise<T>) => {
    let made: Promise<T> | undefined;
    return () => {
      made ??= make();
      return made;
    };
  };
  const commissionRanges = [{ minPrice: 1, maxPrice: null, commissionType: 'fixed' as const, commissionValue: 5 }];
  const path = once(() => buildFinalService(db, { commissionType: 'range', commissionRanges }));
  const paymentType = once(() => buildPaymentType(db, randomUUID()));
  const dialTemplate = once(async () => buildDialTemplate(db, (await paymentType()).id));
  const account = once(async () => buildPaymentAccount(db, { paymentTypeId: (await paymentType()).id }));
  const ofAccount = async () => ({ accountId: (await account()).id });
  return {
    api,
    owner,
    path,
    paymentType,
    dialTemplate,
    account,
    ticket: once(async () => {
      const [{ id: paymentTypeId, name }, template] = [await paymentType(), await dialTemplate()];
      const paidBy = { paymentTypeId, paymentTypeName: name, dialCode: '*144*1*1100#', dialTemplateId: template.id };
      return buildTicket(db, owner.id, { serviceId: (await path()).at(-1)?.id ?? null, ...paidBy });
    }),
    approvedTicket: once(() => buildTicket(db, owner.id, { status: 'approved' })),
    page: once(async () => {
      const slug = randomUUID();
      const fields = { slug, title: 'Aide', content: 'Texte', isActive: true };
      const { body } = await (await buildAdmin(api)).client.post('/api/admin/content-pages', fields);
      return { id: body.id as number, slug };
    }),
    notification: once(() => buildNotification(db, owner.id)),
    source: once(async () => buildPaymentSource(db, { ...(await ofAccount()), sim: 'SIM1' })),
    message: once(async () => buildPaymentMessage(db, await ofAccount())),
    paymentImport: once(async () => buildPaymentImport(db, (await account()).id)),
    shape: once(() => buildPaymentShape(db)),
    line: once(async () => buildPaymentLine(db, { ...(await ofAccount()), payer: owner.phone })),
    matchedLine: once(async () => {
      const { id } = await buildTicket(db, (await buildUser(db)).id, { status: 'approved' });
      return buildMatchedLine(db, id, await ofAccount());
    }),
  };
}

/** What stands in a path for a parameter, by its name, or by the word before it. */
const parameters: Record<string, (stage: Stage) => Promise<string | number>> = {
  userId: async ({ owner }) => owner.id,
  users: async ({ owner }) => owner.id,
  serviceId: async (stage) => (await stage.path()).at(-1)?.id ?? 0,
  services: async (stage) => (await stage.path()).at(-1)?.id ?? 0,
  'payment-types': async (stage) => (await stage.paymentType()).id,
  templateId: async (stage) => (await stage.dialTemplate()).id,
  slug: async (stage) => (await stage.page()).slug,
  'content-pages': async (stage) => (await stage.page()).id,
  tickets: async (stage) => (await stage.ticket()).id,
  code: async (stage) => receiptCode((await openProductKeys(stage.api.db)).receipts, await stage.approvedTicket()),
  notifications: async (stage) => (await stage.notification()).id,
  phone: async () => '+22670000001',
  accounts: async (stage) => (await stage.account()).id,
  sources: async (stage) => (await stage.source()).id,
  messages: async (stage) => (await stage.message()).id,
  imports: async (stage) => (await stage.paymentImport()).id,
  shapes: async (stage) => (await stage.shape()).id,
  lines: async (stage) => (await stage.line()).id,
};

export interface Request {
  method: Endpoint['method'];
  url: string;
  body?: object;
  headers?: Record<string, string>;
}

/** A call of this endpoint that succeeds: its path filled in, with what `examples` adds. */
export async function makeRequest(endpoint: Endpoint, stage: Stage): Promise<Request> {
  const { query = '', ...rest } = (await examples[endpoint.operation]?.(stage)) ?? {};
  let url = '';
  let before = '';
  for (const word of endpoint.path.split('/').slice(1)) {
    const name = word.startsWith(':') ? word.slice(1) : undefined;
    const value = name && !('url' in rest) ? await (parameters[name] ?? parameters[before])?.(stage) : word;
    url += `/${value ?? 'nothing-of-this-kind'}`;
    before = word;
  }
  return { method: endpoint.method, url: url + query, ...rest };
}

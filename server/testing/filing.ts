import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';
import { HttpClient, query } from './server-process.ts';

export interface Order {
  serviceId: number;
  servicePath: { id: number }[];
  paymentTypeName: string;
  totalPrice: string;
}

/** Every message that the process of this data folder sent so far, oldest first. */
export function listSentSms(folder: string): { to: string; text: string }[] {
  return readFileSync(path.join(folder, 'sms.jsonl'), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as { to: string; text: string });
}

/** Signs a person up with the code of the SMS, as a phone would. Processes of one database may each have sent it. */
export async function signUp(port: number, phone: string, folders: readonly string[]): Promise<HttpClient> {
  const client = new HttpClient(port);
  const password = 'motdepasse';
  const person = { firstName: 'Awa', lastName: 'Sawadogo', phone, password, confirmPassword: password };
  expect((await client.send('POST', '/api/auth/signup', person)).status).toBe(201);
  const code = await eventually(() => {
    const sent = folders.flatMap((folder) => {
      try {
        return listSentSms(folder);
      } catch {
        return [];
      }
    });
    const [, digits] = /\b(\d{4})\b/.exec(sent.find(({ to }) => to === phone)?.text ?? '') ?? [];
    if (!digits) throw new Error(`no SMS to ${phone} yet`);
    return digits;
  });
  expect((await client.send('POST', '/api/auth/verify-otp', { phone, code })).status).toBe(200);
  return client;
}

/** A final service at 1 000 FCFA + 100 and its payment type, made through the API. */
export async function prepareOrder(admin: HttpClient): Promise<Order> {
  const form = new FormData();
  const service = { name: 'Envoi', price: '1 000 FCFA', isFinalLevel: true, commissionValue: 100 };
  form.set('data', JSON.stringify({ ...service, phoneNumber: '*144*10*00000000*XX#' }));
  const made = await admin.send<{ id: number }>('POST', '/api/services', form);
  expect(made.status).toBe(201);
  const { id } = made.body;
  expect((await admin.send('POST', '/api/admin/payment-types', { name: 'Portefeuille' })).status).toBe(201);
  return { serviceId: id, servicePath: [{ id }], paymentTypeName: 'Portefeuille', totalPrice: '1100' };
}

/** One person who files tickets as fast as they are acknowledged, and tries again what was not. */
export class Filer {
  readonly client: HttpClient;
  readonly #order: Order;
  /** Tickets the server said it had filed. */
  readonly acknowledged: number[] = [];
  /** Statuses other than 201 that were answered. */
  readonly refusals: number[] = [];
  /** The key of a request that got no good answer: the ticket may be there or not. */
  #unsure: string | undefined;

  constructor(client: HttpClient, order: Order) {
    this.client = client;
    this.#order = order;
  }

  /** Files one ticket; throws when the connection breaks. */
  async file(): Promise<void> {
    const key = this.#unsure ?? randomUUID();
    this.#unsure = key;
    const asked = { ...this.#order, beneficiaryPhoneNumber: '70 12 34 56' };
    const answer = await this.client.send<{ id: number }>('POST', '/api/tickets', asked, { 'idempotency-key': key });
    if (answer.status !== 201) {
      this.refusals.push(answer.status);
      return;
    }
    this.acknowledged.push(answer.body.id);
    this.#unsure = undefined;
  }

  /**
   * Files tickets until it is told to stop or the connection breaks. With a list for the breaks it goes on after one, and when it is
   * told to stop until its last ticket is acknowledged.
   */
  async fileUntil(stop: { now: boolean }, broken?: string[]): Promise<void> {
    while (!stop.now || (broken && this.#unsure)) {
      try {
        await this.file();
      } catch (error) {
        if (!broken) return;
        broken.push(String((error as Error).cause ?? error));
      }
      if (broken && this.#unsure) await pause(100);
    }
  }
}

/** Every ticket id, through the administrator's list, page by page. */
export async function listAllTickets(admin: HttpClient): Promise<number[]> {
  const ids: number[] = [];
  for (;;) {
    const before = ids.length > 0 ? `&before=${ids.at(-1)}` : '';
    const page = await admin.send<{ id: number }[]>('GET', `/api/admin/tickets?limit=1000${before}`);
    expect(page.status).toBe(200);
    if (page.body.length === 0) return ids;
    ids.push(...page.body.map((ticket) => ticket.id));
  }
}

/** People of these numbers, signed up at the process of this data folder, who all order the same. */
export async function prepareFilers(
  admin: HttpClient,
  { port, folder, phones }: { port: number; folder: string; phones: string[] },
): Promise<Filer[]> {
  const order = await prepareOrder(admin);
  return Promise.all(phones.map(async (phone) => new Filer(await signUp(port, phone, [folder]), order)));
}

export const acknowledgedTo = (filers: Filer[]) => filers.flatMap((filer) => filer.acknowledged);

/** Until so many more tickets are acknowledged. */
export async function untilFiled(filers: Filer[], more: number): Promise<void> {
  const before = acknowledgedTo(filers).length;
  await eventually(() => expect(acknowledgedTo(filers).length).toBeGreaterThanOrEqual(before + more));
}

/** Of people who file no more: what was acknowledged is there, once; what was not is there whole or not at all. */
export async function expectNothingLost(admin: HttpClient, folder: string, filers: Filer[]): Promise<void> {
  const promised = acknowledgedTo(filers);
  const stored = new Set(await listAllTickets(admin));
  expect(promised.filter((id) => !stored.has(id))).toEqual([]);
  expect(new Set(promised).size).toBe(promised.length);
  // At most one request of each was under way when the power went.
  expect(stored.size - promised.length).toBeLessThanOrEqual(filers.length);
  const odd = await query(
    folder,
    `select t.id, count(e.id) as events from tickets t left join ticket_events e on e.ticket_id = t.id
     group by t.id having count(e.id) <> 1 or t.status <> 'pending' or t.total_price <> '1100'`,
  );
  expect(odd).toEqual([]);
  const orphans = await query(folder, 'select id from ticket_events where ticket_id not in (select id from tickets)');
  expect(orphans).toEqual([]);
}

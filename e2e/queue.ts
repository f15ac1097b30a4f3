import { expect, type Page } from '@playwright/test';
import { sql } from 'drizzle-orm';
import { approveWaiting, type Caller, callAs, callAsAdministrator, fileTickets } from './caller.ts';
import { anyPhone, makeReference, openAccount, sms } from './incoming.ts';
import type { Person } from './people.ts';
import type { Product } from './product.ts';

export const queue = '/admin/tickets?vue=file';
/** So long a decision can be taken back. */
export const undoMs = 5_000;
export const heading = (page: Page, id: number) => page.getByRole('heading', { level: 2, name: `Ticket n° ${id},` });

/** No ticket of another test waits; these do, in the order of their filing. */
export async function fileWaiting(product: Product, phone: string, count: number): Promise<number[]> {
  await approveWaiting(await callAsAdministrator(product));
  const person = await callAs(product, { firstName: 'File', lastName: 'Sana', phone });
  return (await fileTickets(person, count)).toSorted((a, b) => a - b);
}

/** The one ticket that waits, and an SMS that tells of its payment. */
export async function filePaid(product: Product, lastName: string): Promise<number> {
  const account = await openAccount(product);
  await approveWaiting(account.admin);
  const phone = anyPhone();
  const person = await callAs(product, { firstName: 'File', lastName, phone });
  const [id = 0] = await fileTickets(person, 1);
  await account.forward(sms({ gross: '5100.00', payer: phone, balance: '20000.00', reference: makeReference() }));
  return id;
}

export async function readTicket(product: Product, id: number) {
  const admin = await callAsAdministrator(product);
  return (await admin.send('GET', `/api/admin/tickets/${id}`)) as { status: string; rejectReason: string | null };
}

export const expectStatus = (product: Product, id: number, status: string) =>
  expect.poll(async () => (await readTicket(product, id)).status, { timeout: 20_000 }).toBe(status);

/** Another administrator. */
export async function callAsColleague(product: Product, person: Person): Promise<Caller> {
  const colleague = await callAs(product, person);
  const db = await product.openDatabase();
  await db.execute(sql`update users set is_admin = true where id = ${colleague.userId}`);
  return colleague;
}

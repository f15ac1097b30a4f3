import { expect, type Locator, type Page } from '@playwright/test';
import { sql } from 'drizzle-orm';
import { findFaintText, findViolations } from './accessibility.ts';
import { desktopSize, phoneSize } from './browser.ts';
import { type Caller, callAsAdministrator, uniqueName } from './caller.ts';
import { expectNoSidewaysScroll } from './layout.ts';
import type { Product } from './product.ts';

/** The address of a view of the incoming payments. */
export const viewAddress = (view: string) => `/admin/payments?section=encaissements&vue=${view}`;

export const viewOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

export const rowOf = (page: Page, view: string, words: string) =>
  viewOf(page, view).locator('[data-row]').filter({ hasText: words });

/** Presses a button by the keyboard, once nothing is at work that would ignore it. */
export async function enter(within: Page | Locator, name: string | RegExp): Promise<void> {
  const button = within.getByRole('button', { name, exact: typeof name === 'string' });
  await expect(button).toBeEnabled();
  await button.press('Enter');
}

/** Checks that the keyboard has a place on the page, and not its beginning. */
export async function expectFocusKept(page: Page): Promise<void> {
  await expect(page.locator(':focus')).not.toHaveCount(0);
  await expect(page.locator('body:focus')).toHaveCount(0);
}

/** Judges what is shown in both sizes, on a phone in both themes; the page keeps its size. */
export async function expectLegible(page: Page): Promise<void> {
  const own = page.viewportSize();
  for (const size of [desktopSize, phoneSize]) {
    await page.setViewportSize(size);
    expect(await findViolations(page), `${size.width}`).toEqual([]);
    await expectNoSidewaysScroll(page);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await findFaintText(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  if (own) await page.setViewportSize(own);
}

export interface Fed {
  admin: Caller;
  label: string;
  accountId: number;
  /** Sends an SMS as the phone that is linked to the account does. */
  forward(text: string, from?: string, fields?: object): Promise<void>;
  /** Sends the SMS of a payment of 700 francs that a statement tells as well: what follows from its balance, in francs, is ticked. */
  forwardConfirmed(balance: number): Promise<void>;
}

/** An account, of Orange Money in Burkina Faso unless told, with a linked phone. */
export async function openAccount(
  product: Product,
  { type, country } = { type: 'Orange Money', country: '+226' },
): Promise<Fed> {
  const admin = await callAsAdministrator(product);
  const label = uniqueName('Caisse');
  const types = (await admin.send('GET', '/api/payment-types')) as { id: number; name: string }[];
  const { id: accountId } = (await admin.send('POST', '/api/admin/payments/accounts', {
    paymentTypeId: types.find(({ name }) => name === type)?.id,
    country,
    number: `5${String(nextNumber()).padStart(7, '0')}`,
    label,
    allowedSenders: ['OrangeMoney'],
  })) as { id: number };
  const source = (await admin.send('POST', '/api/admin/payments/sources', { accountId, kind: 'sms' })) as {
    address: string;
  };
  const forward = async (text: string, from = 'OrangeMoney', fields = {}) => {
    const sent = { from, text, sentStamp: Date.now(), receivedStamp: Date.now(), sim: 'SIM1', ...fields };
    const body = JSON.stringify(sent);
    const { pathname } = new URL(source.address);
    const answer = await fetch(product.url + pathname, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    });
    expect(answer.status).toBe(200);
  };
  const forwardConfirmed = async (balance: number) => {
    const reference = makeReference();
    await forward(sms({ gross: '700.00', payer: anyPhone(), balance: `${balance}.00`, reference }));
    const db = await product.openDatabase();
    await db.execute(sql`update payment_lines set state = 'settled' where reference = ${reference}`);
  };
  return { admin, label, accountId, forward, forwardConfirmed };
}

let last = 0;
/** Each worker has a product of its own, so what differs within its process differs there. */
function nextNumber(): number {
  last += 1;
  return last;
}

/** A number of Orange Burkina Faso that nobody else has. */
export const anyPhone = () => `769${String(nextNumber()).padStart(5, '0')}`;

/** Orange's form of a reference, which tells the minute; of this one unless told. */
export function makeReference(at = new Date()): string {
  const [day, time] = at.toISOString().split('T') as [string, string];
  const digits = String(nextNumber()).padStart(8, '0');
  return `PP${day.replaceAll('-', '').slice(2)}.${time.replaceAll(':', '').slice(0, 4)}.${digits}`;
}

/** Orange's SMS of a payment; amounts in francs with two decimals. */
export const sms = (fields: { gross: string; payer: string; balance: string; reference: string }) =>
  `Vous avez recu ${fields.gross} FCFA du ${fields.payer},SANOU AWA. Le solde de votre compte est de ${fields.balance} FCFA Trans ID: ${fields.reference}.`;

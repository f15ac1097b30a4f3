import type { Product } from '../../e2e/product.ts';
import { signInAdministrator } from './administrator.ts';

/** Calls as the administrator. Throws what else than a success is answered. */
export type Ask = <Body>(method: 'GET' | 'POST', path: string, body?: object) => Promise<Body>;

export async function askAsAdministrator(product: Pick<Product, 'url'>): Promise<Ask> {
  const cookie = await signInAdministrator(product);
  return async <Body>(method: 'GET' | 'POST', path: string, body?: object) => {
    const isForm = body instanceof FormData;
    const answer = await fetch(product.url + path, {
      method,
      headers: { cookie, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Body;
  };
}

interface Account {
  country: string;
  senders?: string[];
}

/** An account of a new wallet, made through the API; answers its id. */
export async function addAccount(ask: Ask, { country, senders = [] }: Account): Promise<number> {
  const name = `Portefeuille ${country}`;
  const { id: paymentTypeId } = await ask<{ id: number }>('POST', '/api/admin/payment-types', { name });
  const fields = { paymentTypeId, country, number: '1', label: name, allowedSenders: senders };
  return (await ask<{ id: number }>('POST', '/api/admin/payments/accounts', fields)).id;
}

/** A new source of an account: the address that it is told at, and what its events are signed with. */
export async function addSource(ask: Ask, accountId: number, kind: 'sms' | 'wave') {
  const made = await ask<{ address: string; secret?: string }>('POST', '/api/admin/payments/sources', {
    accountId,
    kind,
  });
  return { path: new URL(made.address).pathname, secret: made.secret ?? '' };
}

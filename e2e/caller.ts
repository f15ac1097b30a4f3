import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import { type Entrance, enter, enterPanel, type Person } from './people.ts';
import type { Product } from './product.ts';

/** A user of the API with a session, for test preparation. */
export interface Caller {
  userId: number;
  entrance: Entrance;
  send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, data?: object): Promise<unknown>;
  sendForm(method: 'POST' | 'PUT', path: string, data: object): Promise<unknown>;
}

export const callAsAdministrator = async (product: Product): Promise<Caller> =>
  callerOf(product, await enterPanel(product));

export const callAs = async (product: Product, person: Person): Promise<Caller> =>
  callerOf(product, await enter(product, person));

function callerOf({ url }: Product, entrance: Entrance): Caller {
  const { user, cookie } = entrance;
  const send = async (method: string, path: string, body?: string | FormData): Promise<unknown> => {
    const type = typeof body === 'string' ? { 'content-type': 'application/json' } : undefined;
    const headers = { cookie: `${cookie.name}=${cookie.value}`, ...type };
    const answer = await fetch(url + path, { method, headers, ...(body && { body }) });
    const text = await answer.text();
    expect(answer.ok, `${method} ${path} answered ${answer.status} ${text}`).toBe(true);
    return JSON.parse(text);
  };
  return {
    userId: user.id,
    entrance,
    send: (method, path, data) => send(method, path, data && JSON.stringify(data)),
    sendForm: (method, path, data) => {
      const form = new FormData();
      form.append('data', JSON.stringify(data));
      return send(method, path, form);
    },
  };
}

interface Service {
  id: number;
  name: string;
}

/** How many this worker has filed. */
let filedInAll = 0;

/**
 * Files tickets for the television bouquet of the starter catalogue, 5 100 FCFA each, by default for a new beneficiary
 * each; returns their ids in order.
 */
export async function fileTickets(caller: Caller, count: number, beneficiaries: string[] = []): Promise<number[]> {
  const path: Service[] = [];
  for (const name of ['Factures et paiements', 'Télévision', 'Bouquet Access']) {
    const parent = path.at(-1);
    const level = (await caller.send('GET', `/api/services${parent ? `?parentId=${parent.id}` : ''}`)) as Service[];
    path.push(level.find((service) => service.name === name) as Service);
  }
  const ids: number[] = [];
  for (let filed = 0; filed < count; filed += 1) {
    filedInAll += 1;
    const ticket = await caller.send('POST', '/api/tickets', {
      userId: caller.userId,
      serviceId: path.at(-1)?.id,
      servicePath: path.map(({ id }) => ({ id })),
      // A unique number: equal orders within seconds count as one.
      beneficiaryPhoneNumber: beneficiaries[filed] ?? `+226701${10_000 + (filedInAll % 89_999)}`,
      // Whose code the service's is.
      paymentTypeName: 'Orange Money',
      totalPrice: '5100',
      status: 'pending',
    });
    ids.push((ticket as { id: number }).id);
  }
  return ids;
}

/** No ticket of another test waits any longer. */
export async function approveWaiting(admin: Caller): Promise<void> {
  // An answer is one page of them.
  while (true) {
    const waiting = (await admin.send('GET', '/api/admin/tickets?status=pending')) as { id: number }[];
    if (waiting.length === 0) return;
    const tickets = waiting.map(({ id }) => ({ id }));
    await admin.send('POST', '/api/admin/ticket-decisions', { status: 'approved', tickets });
  }
}

/** A unique name. */
export const uniqueName = (word: string) => `${word} ${randomUUID().slice(0, 8)}`;

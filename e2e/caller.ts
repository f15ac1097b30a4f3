import { randomUUID } from 'node:crypto';
import { expect, request } from '@playwright/test';
import { type Entrance, enter, enterPanel, type Person } from './people.ts';
import type { Product } from './product.ts';

/** A user of the API with a session, for test preparation. */
export interface Caller {
  userId: number;
  entrance: Entrance;
  send(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, data?: object): Promise<unknown>;
  sendForm(method: 'POST' | 'PUT', path: string, data: object): Promise<unknown>;
  end(): Promise<void>;
}

export const callAsAdministrator = async (product: Product): Promise<Caller> =>
  callerOf(product, await enterPanel(product));

export const callAs = async (product: Product, person: Person): Promise<Caller> =>
  callerOf(product, await enter(product, person));

async function callerOf({ url }: Product, entrance: Entrance): Promise<Caller> {
  const { user, cookie } = entrance;
  const context = await request.newContext({
    baseURL: url,
    extraHTTPHeaders: { cookie: `${cookie.name}=${cookie.value}` },
  });
  const send = async (method: string, path: string, options: object): Promise<unknown> => {
    const answer = await context.fetch(path, { method, ...options });
    expect(answer.ok(), `${method} ${path} answered ${answer.status()} ${await answer.text()}`).toBe(true);
    return answer.json();
  };
  return {
    userId: user.id,
    entrance,
    send: (method, path, data) => send(method, path, { data }),
    sendForm: (method, path, data) => send(method, path, { multipart: { data: JSON.stringify(data) } }),
    end: () => context.dispose(),
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
      paymentTypeName: 'Wave',
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

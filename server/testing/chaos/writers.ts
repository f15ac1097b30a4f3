import { randomUUID } from 'node:crypto';
import type { Fixture } from './fixture.ts';
import type { Counter } from './journal.ts';
import type { PolledAnswer, PollingClient } from './polling-client.ts';
import { nameOf, type View } from './views.ts';

interface Writing {
  world: Fixture;
  counters: Record<View['counter'], Counter>;
  clients: PollingClient[];
  /** A process by chance. */
  choose(): number;
  /** After each write that was acknowledged: whoever wrote it reads it where they wrote it. */
  readBack(process: number, counter: View['counter']): Promise<void>;
  /** After one that was not. */
  refused(process: number, answer: Pick<PolledAnswer, 'status' | 'sentAt' | 'doneAt'>, what: string): Promise<void>;
  goesOn(): boolean;
}

/** Everybody who writes, until they are told to stop; each one write after the other, through processes by chance. */
export const writeAll = (writing: Writing): Promise<unknown> =>
  Promise.all([rename(writing), reprice(writing), file(writing), read(writing)]);

async function rename({ world, counters, clients, choose, readBack, refused, goesOn }: Writing): Promise<void> {
  let id: number | undefined;
  for (let value = 1; goesOn(); value += 1) {
    const process = choose();
    const [method, url] =
      id === undefined
        ? (['POST', '/api/admin/payment-types'] as const)
        : (['PUT', `/api/admin/payment-types/${id}`] as const);
    const answer = await clients[process]?.write(method, url, world.admin.cookie, { name: nameOf(value) });
    if (!answer) return;
    if (answer.status === (id === undefined ? 201 : 200)) {
      id = answer.body.id;
      counters.names.acknowledge(value, process);
      await readBack(process, 'names');
    } else {
      // Whether it was done, or will still be, nobody knows: the next name is another type's, so that none goes back.
      id = undefined;
      await refused(process, answer, 'rename');
    }
  }
}

async function reprice({ world, counters, goesOn }: Writing): Promise<void> {
  const id = world.pricedPath.at(-1)?.id;
  for (let value = 1_001; goesOn(); value += 1) {
    await world.byHand(
      "update services set price = $2::int || ' FCFA' where id = $1 and regexp_replace(price, '[^0-9]', '', 'g')::int < $2::int",
      [id, value],
    );
    counters.prices.acknowledge(value);
  }
}

async function file({ world, counters, clients, choose, readBack, refused, goesOn }: Writing): Promise<void> {
  const service = world.servicePath.at(-1)?.id;
  let filed = 0;
  for (let key = randomUUID(); goesOn(); ) {
    const process = choose();
    const order = {
      serviceId: service,
      servicePath: world.servicePath,
      beneficiaryPhoneNumber: '70 12 34 56',
      paymentTypeName: world.paymentTypeName,
      totalPrice: 1_100,
    };
    const answer = await clients[process]?.write('POST', '/api/tickets', world.person.cookie, order, key);
    if (answer?.status === 201) {
      filed += 1;
      key = randomUUID();
      counters.tickets.acknowledge(filed, process);
      await readBack(process, 'tickets');
    } else if (answer) await refused(process, answer, 'file');
  }
}

async function read({ world, counters, clients, choose, readBack, refused, goesOn }: Writing): Promise<void> {
  for (let done = 0; goesOn(); ) {
    const process = choose();
    const url = `/api/notifications/${world.notifications[done]}/read`;
    const answer = await clients[process]?.write('PATCH', url, world.person.cookie);
    if (answer?.status === 200) {
      done += 1;
      counters.read.acknowledge(done, process);
      await readBack(process, 'read');
    } else if (answer) await refused(process, answer, 'read');
  }
}

import { setTimeout as pause } from 'node:timers/promises';
import type { PaymentPair } from '../../contract/payments.ts';
import { sessionCookie } from '../../server/features/sessions/session-cookie.ts';
import { Dice, smsShapes } from '../../server/testing/payment-sms.ts';
import { figure, percentile, type Rows, round } from './figures.ts';
import { fill, makeFolder } from './fill.ts';
import { openProduct } from './open-product.ts';
import { addAccount, addSource, askAsAdministrator } from './payments-account.ts';
import { addPeople, cookieOf, idsOf, type People, readOrder } from './people.ts';
import type { Stage } from './stage.ts';

/** How long it takes from an SMS at the feed to its proposal in an administrator's answer, with a ticket that declares it. */
export async function measureSms(stage: Stage, count = 40): Promise<Rows> {
  const folder = makeFolder(stage);
  let people: People = { first: 1, count: 0 };
  await fill(stage, folder, { users: 1_000, tickets: 20_000 }, async (pool) => {
    people = await addPeople(pool, { count, busy: 0 });
  });
  const product = await openProduct(stage, folder, { LOG_LEVEL: 'error' });
  const ask = await askAsAdministrator(product);
  const shape = smsShapes.orangeBurkina;
  const accountId = await addAccount(ask, { country: shape.country, senders: [shape.sender] });
  const { path } = await addSource(ask, accountId, 'sms');
  const order = await readOrder(product.url);
  const dice = new Dice(1);
  const times: number[] = [];
  for (const [place, id] of idsOf(people).entries()) {
    const as = async (url: string, body: object) => {
      const headers = { 'content-type': 'application/json', cookie: `${sessionCookie}=${cookieOf(id)}` };
      const answer = await fetch(product.url + url, { method: 'POST', headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { id: number };
    };
    const ticket = await as('/api/tickets', order);
    const reference = shape.makeReference(dice, new Date());
    await as(`/api/tickets/${ticket.id}/payment-declaration`, { reference });
    const payer = `+22651${String(place + 1).padStart(6, '0')}`;
    const paid = {
      gross: Number(order.totalPrice),
      payer,
      reference,
      balance: 100_000 + place,
      name: 'KABORE',
      at: new Date(),
    };
    const start = performance.now();
    await as(path, { from: shape.sender, text: shape.write(paid, dice), sentStamp: Date.now() });
    for (;;) {
      const { sure } = await ask<{ sure: PaymentPair[] }>('GET', '/api/admin/payments/proposals');
      if (sure.some((pair) => pair.ticket.id === ticket.id)) break;
      if (performance.now() - start > 60_000) throw new Error('an SMS is not proposed within a minute');
      await pause(10);
    }
    times.push(performance.now() - start);
  }
  return {
    'SMS in → proposal readable, longest (ms)': figure(
      Math.max(...times),
      { below: 6_000 },
      {
        'p50 (ms)': round(percentile(times, 0.5)),
        messages: times.length,
      },
    ),
  };
}

import type { ResponseOf } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import type { choosePaymentSim } from '#contract/payment-feed.ts';
import type { Db } from '#server/database/connect.ts';
import { lineOfKept, type MessageReading, readAgain, readersOf } from './intake.ts';
import { ignoreLines } from './lines.ts';
import * as store from './store.ts';

/**
 * Sets the SIM of a phone that receives the account's payments. Messages of that SIM that waited or were ignored are read. Messages of
 * other SIMs are ignored, with their lines, unless a ticket or another input has the line. Throws PAYMENT_SOURCE_NOT_FOUND, and INVALID
 * for a SIM without messages.
 */
export async function chooseSim(
  reading: MessageReading,
  tx: Db,
  sourceId: number,
  sim: string,
): Promise<ResponseOf<typeof choosePaymentSim>> {
  const source = await store.lockSource(tx, sourceId);
  const account = await store.lockAccount(tx, source.accountId);
  const known = { ...reading, operators: await readersOf(tx, reading.operators, account) };
  const messages = await store.listMessagesOfSims(tx, sourceId);
  if (sim !== source.sim && !messages.some((each) => each.sim === sim))
    throw new Failure('INVALID', { issues: [{ path: 'sim', message: "Aucun SMS n'est venu de cette SIM." }] });
  await store.setSim(tx, sourceId, sim);
  // Messages that a person has read stay as they are.
  const open = messages.filter(({ parser }) => parser !== store.readByPerson);
  const others = open.filter((each) => each.sim !== sim);
  const waiting = open.filter(
    (each) =>
      each.sim === sim && (each.state === 'unread' || (each.state === 'ignored' && each.why === store.otherSim)),
  );
  const linesOf = (some: typeof open) => some.flatMap((each) => lineOfKept(known, account, each) ?? []);
  const ignored = await ignoreLines(tx, account.id, linesOf(others), true);
  await store.ignoreForSim(
    tx,
    others.map(({ id }) => id),
  );
  await ignoreLines(tx, account.id, linesOf(waiting), false);
  const read = await readAgain(known, tx, account, waiting);
  return { payments: read.filter(({ state }) => state === 'parsed').length, ignored };
}

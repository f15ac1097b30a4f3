import type { Db } from '#server/database/connect.ts';
import { statement } from '#server/database/statement.ts';

export interface QueuedSms {
  /** E.164. */
  recipient: string;
  body: string | null;
  reference: string;
  /** The gateways that may have it. */
  doubtful: string[];
  /** Whether a receipt said meanwhile that the phone has it. */
  isDelivered: boolean;
  expired: boolean;
}

const queued = statement<QueuedSms>(`
  select recipient, body, reference, doubtful, delivery is not distinct from 'delivered' as "isDelivered",
         drop_after < now() as expired
  from sms_messages where id = $1 and status = 'queued'`);

/** A message that waits to be sent; undefined once it was sent or given up. */
export async function findQueuedSms(db: Db, id: number): Promise<QueuedSms | undefined> {
  const [[message]] = await db.ask(queued(id));
  return message;
}

export interface Attempt {
  id: number;
  /** 'queued' where it will be tried again; any other is the end, at which the body is wiped. */
  status: 'queued' | 'sent' | 'failed' | 'expired';
  attempts: number;
  /** The last gateway tried; null leaves the one before. */
  provider: string | null;
  /** All gateways that may have it by now. */
  doubtful: readonly string[];
  gatewayId: string | null;
  failure: string | null;
}

/** How one gateway did: `failure` is null where it took the message. */
export interface GatewayNote {
  name: string;
  failure: string | null;
}

// A message that was sent stays sent, whatever another process that had it in hand too makes of it.
const attempted = statement(`
  update sms_messages set status = $2::text, attempts = $3, provider = coalesce($4, provider), gateway_id = $5,
    failure = $6, doubtful = $7::text[], body = case when $2::text = 'queued' then body end,
    sent_at = case when $2::text = 'sent' then now() end
  where id = $1 and (status = 'queued' or (status <> 'sent' and $2::text = 'sent'))`);
const noted = statement<{ name: string; before: number; after: number }>(`
  with known as (select name, failures_in_a_row as failures from sms_gateways where name = $1 for update)
  update sms_gateways g set
    last_sent_at = case when $2::text is null then now() else last_sent_at end,
    last_failed_at = case when $2::text is null then last_failed_at else now() end,
    failure = coalesce($2::text, failure),
    failures_in_a_row = case when $2::text is null then 0 else failures_in_a_row + 1 end
  from known where g.name = known.name
  returning g.name, known.failures as before, failures_in_a_row as after`);

/**
 * Writes down what became of an attempt, of the message and of each gateway that was tried. Answers the failures in a row that
 * each had before and has now. Done twice it counts failures twice, and no more.
 */
export async function noteAttempt(
  db: Db,
  { id, status, attempts, provider, doubtful, gatewayId, failure }: Attempt,
  gateways: readonly GatewayNote[],
): Promise<{ name: string; before: number; after: number }[]> {
  const [, ...counts] = await db.ask(
    attempted(id, status, attempts, provider, gatewayId, failure, doubtful),
    ...gateways.map((each) => noted(each.name, each.failure)),
  );
  return counts.flat();
}

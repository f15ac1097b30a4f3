import type { Db } from '#server/database/connect.ts';
import { defineJob } from '#server/database/define-job.ts';
import { paymentFeedLimits } from '#server/process/payment-limits.ts';
import { type MessageReading, readKeptMessage } from './intake.ts';
import { readMessageJob } from './store.ts';

export const readPaymentMessageJob = defineJob({
  ...readMessageJob,
  run: async ({ db, payments }: { db: Db; payments: MessageReading }, { id }) => {
    await db.transaction(async (tx) => {
      await readKeptMessage(payments, tx, id);
    });
  },
});

export const watchFeedsJob = defineJob({
  name: 'watch_payment_feeds',
  cron: { match: '*/5 * * * *', options: { backfillPeriod: 0 } },
  run: async ({ db }: { db: Db }) => giveUpReading(db),
});

/** Leaves messages to a person that no job could read. */
export async function giveUpReading(db: Db): Promise<void> {
  await db.execute(`
    update payment_messages set state = 'unread', why = 'La lecture a échoué.'
    where state = 'waiting' and received_at < now() - make_interval(hours => ${paymentFeedLimits.readingHours})`);
}

import type { Db } from '#server/database/connect.ts';
import { defineJob } from '#server/database/define-job.ts';
import { giveUpReading } from './feed-alarms.ts';
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

import type { CodeDeliveryState } from '#contract/auth.ts';
import type { Db } from '#server/database/connect.ts';
import { statement } from '#server/database/statement.ts';

const readingDelivery = statement<{
  status: 'queued' | 'sent' | 'failed' | 'expired';
  delivery: CodeDeliveryState | null;
  isPutOff: boolean;
}>(
  `select status, delivery, failure is not null as "isPutOff" from sms_messages where flow_id = $1 and kind = 'code' order by id desc limit 1`,
  { isQuick: true },
);

/** What became of the last code of a flow, as far as its gateway tells; without a flow or a code it is unknown. */
export async function readCodeDelivery(db: Db, flowId: string | undefined): Promise<CodeDeliveryState> {
  const [[row]] = flowId ? await db.ask(readingDelivery(flowId)) : [[]];
  if (!row) return 'unknown';
  // A phone that has it has it, also where the gateway was thought to have failed, or is asked again.
  if (row.delivery === 'delivered') return 'delivered';
  if (row.status === 'sent') return row.delivery ?? 'sent';
  if (row.status === 'queued') return row.isPutOff ? 'waiting' : 'queued';
  return 'failed';
}

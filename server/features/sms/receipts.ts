import { createHmac } from 'node:crypto';
import type * as z from 'zod/mini';
import { infobipReceipts, orangeReceipt, type receiveSmsReceipt, twilioReceipt } from '#contract/sms.ts';
import type { Db } from '#server/database/connect.ts';
import { none, statement } from '#server/database/statement.ts';

/** The secret in the path of receipts: the setting, or a value derived from the product's secret. */
export function receiptSecret(setting: string | undefined, secret: string): string {
  return setting ?? createHmac('sha256', secret).update('sms receipts').digest('base64url');
}

/** Where a gateway is to send its receipts; undefined where the product has no public address. */
export function receiptAddress(publicUrl: string | undefined, secret: string, gateway: string): string | undefined {
  return publicUrl === undefined ? undefined : `${new URL(publicUrl).origin}/api/sms/receipts/${secret}/${gateway}`;
}

/** What a gateway says of one message that left through it; a state in between says nothing yet. */
export interface Receipt {
  /** The gateway's own name for the message, or ours. */
  id: string;
  delivery: 'delivered' | 'undelivered';
}

type Body = z.output<typeof receiveSmsReceipt.body>;
type Reader = (body: Body) => { id: string; delivery: Receipt['delivery'] | undefined }[] | undefined;

const readers: Record<string, Reader> = {
  orange(body) {
    const { data } = orangeReceipt.safeParse(body);
    if (!data) return undefined;
    const { callbackData: id, deliveryInfo } = data.deliveryInfoNotification;
    const told = { DeliveredToTerminal: 'delivered', DeliveryImpossible: 'undelivered' } as const;
    return [{ id, delivery: told[deliveryInfo.deliveryStatus as keyof typeof told] }];
  },
  infobip(body) {
    // 1 pending, 2 undeliverable, 3 delivered, 4 expired, 5 rejected.
    const told = { 2: 'undelivered', 3: 'delivered', 4: 'undelivered', 5: 'undelivered' } as const;
    return infobipReceipts.safeParse(body).data?.results.map(({ messageId, status }) => ({
      id: messageId,
      delivery: told[status.groupId as keyof typeof told],
    }));
  },
  twilio(body) {
    const { data } = twilioReceipt.safeParse(body);
    if (!data) return undefined;
    const told = {
      delivered: 'delivered',
      read: 'delivered',
      undelivered: 'undelivered',
      failed: 'undelivered',
    } as const;
    return [{ id: data.MessageSid, delivery: told[data.MessageStatus as keyof typeof told] }];
  },
};

export const gatewaysWithReceipts: readonly string[] = Object.keys(readers);

/** What a gateway's request says of messages; undefined where it is another gateway's. */
export function readReceipt(gateway: string, body: Body): Receipt[] | undefined {
  return readers[gateway]?.(body)?.flatMap(({ id, delivery }) => (delivery ? [{ id, delivery }] : []));
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// That a phone has it is true whoever carried it; that one gateway did not deliver says something of that gateway's attempt alone.
const recorded = statement(none)(`
  with receipt as (
    select id, reference, delivery from unnest($2::text[], $3::uuid[], $4::text[]) as receipt (id, reference, delivery)
  ), meant as (
    select m.id, bool_or(r.delivery = 'delivered') as delivered
    from receipt r join sms_messages m
      on (m.provider = $1 and m.gateway_id = r.id)
      or (m.reference = r.reference and (m.provider = $1 or r.delivery = 'delivered'))
    group by m.id
  )
  update sms_messages m set
    delivery = case when delivered then 'delivered' else 'undelivered' end,
    delivered_at = case when delivered then now() end
  from meant where m.id = meant.id and m.delivery is distinct from 'delivered'
    and m.delivery is distinct from case when delivered then 'delivered' else 'undelivered' end`);

/** Records receipts. Unknown messages are left out, a delivered one stays so, and a repeated receipt changes nothing. */
export async function recordReceipts(db: Db, gateway: string, receipts: readonly Receipt[]): Promise<void> {
  if (receipts.length === 0) return;
  await db.ask(
    recorded(
      gateway,
      receipts.map(({ id }) => id),
      receipts.map(({ id }) => (uuid.test(id) ? id : null)),
      receipts.map(({ delivery }) => delivery),
    ),
  );
}

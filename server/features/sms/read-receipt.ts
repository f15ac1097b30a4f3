import type * as z from 'zod/mini';
import { infobipReceipts, orangeReceipt, type receiveSmsReceipt, twilioReceipt } from '#contract/sms.ts';

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

/** The gateways that send receipts. */
export const gatewaysWithReceipts: readonly string[] = Object.keys(readers);

/** What a gateway's request says of messages; undefined where it is another gateway's. */
export function readReceipt(gateway: string, body: Body): Receipt[] | undefined {
  return readers[gateway]?.(body)?.flatMap(({ id, delivery }) => (delivery ? [{ id, delivery }] : []));
}

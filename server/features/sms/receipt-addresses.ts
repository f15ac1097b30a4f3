import { createHmac } from 'node:crypto';

/**
 * What stands in the path of receipts, so that nobody else sends any: the setting, or what follows from the product's own secret
 * and does not tell it.
 */
export function receiptSecret(setting: string | undefined, secret: string): string {
  return setting ?? createHmac('sha256', secret).update('sms receipts').digest('base64url');
}

/** Where a gateway is to send its receipts; undefined where the product has no public address. */
export function receiptAddress(publicUrl: string | undefined, secret: string, gateway: string): string | undefined {
  return publicUrl === undefined ? undefined : `${new URL(publicUrl).origin}/api/sms/receipts/${secret}/${gateway}`;
}

import { createHmac } from 'node:crypto';

/**
 * The secret in the path of receipts, which keeps strangers from sending any: the setting, or a value derived from the
 * product's secret.
 */
export function receiptSecret(setting: string | undefined, secret: string): string {
  return setting ?? createHmac('sha256', secret).update('sms receipts').digest('base64url');
}

/** Where a gateway is to send its receipts; undefined where the product has no public address. */
export function receiptAddress(publicUrl: string | undefined, secret: string, gateway: string): string | undefined {
  return publicUrl === undefined ? undefined : `${new URL(publicUrl).origin}/api/sms/receipts/${secret}/${gateway}`;
}

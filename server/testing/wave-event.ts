import { createHmac } from 'node:crypto';

const nowSeconds = () => Math.floor(Date.now() / 1_000);

/** Wave's signature over its time and this body. */
export function waveMark(secret: string, payload: string | Buffer, at = nowSeconds()): string {
  const mark = createHmac('sha256', secret).update(`${at}${payload}`).digest('hex');
  return `t=${at},v1=${mark}`;
}

/** A call of Wave's server with this body, signed. */
export function signedByWave(url: string, secret: string, body: object, at = nowSeconds()) {
  const payload = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'wave-signature': waveMark(secret, payload, at) };
  return { method: 'POST' as const, url, payload, headers };
}

/** What Wave's server tells of a payment of 1,100 francs. */
export const waveEvent = (data: object = {}) => ({
  id: 'EV_1',
  type: 'merchant.payment_received',
  data: {
    id: 'T_46HS5COOWE',
    amount: '1089',
    fee: '11',
    currency: 'XOF',
    sender_mobile: '+22670111111',
    when_created: new Date().toISOString(),
    custom_fields: {},
    ...data,
  },
});

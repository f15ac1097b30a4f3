import { createHmac, randomUUID } from 'node:crypto';
import type { Db } from '#server/database/connect.ts';
import { openSeal } from '#server/features/payment-feed/seal.ts';
import { buildPaymentSource } from './builders.ts';
import { secret } from './test-api.ts';

/** A call of Wave's server about 1 100 FCFA that came in, to a new source and signed for it (docs.wave.com/webhook). */
export async function buildWaveCall(db: Db, fields: { accountId?: number } = {}) {
  const signing = randomUUID();
  const signingSecret = openSeal(secret).seal(signing);
  const { path } = await buildPaymentSource(db, { kind: 'wave', signingSecret, ...fields });
  const data = {
    id: `T_${randomUUID()}`,
    amount: '1100',
    currency: 'XOF',
    when_created: new Date().toISOString(),
  };
  const body = { id: `EV_${randomUUID()}`, type: 'merchant.payment_received', data };
  const time = Math.floor(Date.now() / 1_000);
  const signature = createHmac('sha256', signing)
    .update(`${time}${JSON.stringify(body)}`)
    .digest('hex');
  return { url: path, body, headers: { 'wave-signature': `t=${time},v1=${signature}` } };
}

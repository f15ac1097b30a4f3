import { createHash } from 'node:crypto';
import type { TestApi, TestClient } from './test-api.ts';

/** What a person types to sign up with this number. */
export function signUpBody(phone: string, fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    firstName: 'Awa',
    lastName: 'Sawadogo',
    phone,
    countryCode: '+226',
    password: 'secret1',
    confirmPassword: 'secret1',
    ...fields,
  };
}

/** Signs a fresh browser up and answers it, with the code it was sent. */
export async function startSignUp(api: TestApi, phone: string, fields: Record<string, unknown> = {}) {
  const before = await countSms(api, phone);
  const client = api.client();
  const answer = await client.post('/api/auth/signup', signUpBody(phone, fields));
  if (answer.status !== 201) throw new Error(`sign-up answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return { client, code: await api.readCode(phone, before + 1) };
}

/** A fresh browser that asked for a reset, with the code it was sent. */
export async function startReset(api: TestApi, phone: string, client = api.client()) {
  const before = await countSms(api, phone);
  const answer = await client.post('/api/auth/forgot-password', { phoneOrEmail: phone });
  if (answer.status !== 200) throw new Error(`forgot-password answered ${answer.status}`);
  return { client, code: await api.readCode(phone, before + 1) };
}

/** A reset token of this number, as its owner gets one. */
export async function takeResetToken(api: TestApi, phone: string): Promise<{ client: TestClient; token: string }> {
  const { client, code } = await startReset(api, phone);
  const answer = await client.post('/api/auth/verify-reset-otp', { phone, code });
  return { client, token: answer.body.token };
}

/** A well-formed code that is not this one. */
export function otherThan(code: string): string {
  return code === '0000' ? '0001' : '0000';
}

/** How many messages were ever queued for a number, sent or not. */
export async function countSms(api: TestApi, phone: string): Promise<number> {
  const { rows } = await api.pool.query('select count(*)::int as n from sms_messages where recipient = $1', [phone]);
  return rows[0].n;
}

/** Lets this many seconds pass for the codes and flows of a number, by the database's clock. */
export async function letPass(api: TestApi, phone: string, seconds: number): Promise<void> {
  await api.pool.query(
    `update otp_codes set created_at = created_at - make_interval(secs => $2),
                          expires_at = expires_at - make_interval(secs => $2) where phone = $1`,
    [phone, seconds],
  );
  await api.pool.query('update otp_flows set created_at = created_at - make_interval(secs => $2) where phone = $1', [
    phone,
    seconds,
  ]);
}

/** Tries taken of each code of a number, oldest first. */
export async function listTries(api: TestApi, phone: string): Promise<number[]> {
  const { rows } = await api.pool.query('select attempts from otp_codes where phone = $1 order by id', [phone]);
  return rows.map((row: { attempts: number }) => row.attempts);
}

export async function countSessions(api: TestApi, userId: number): Promise<number> {
  const { rows } = await api.pool.query('select count(*)::int as n from sessions where user_id = $1', [userId]);
  return rows[0].n;
}

/** The row of a number's user, if there is one. */
export async function readUserRow(api: TestApi, phone: string): Promise<Record<string, unknown> | undefined> {
  const { rows } = await api.pool.query('select * from users where phone = $1', [phone]);
  return rows[0];
}

/** What the database keeps of a secret that it may not know. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

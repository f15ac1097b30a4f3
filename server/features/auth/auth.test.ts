import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from '#server/testing/test-app.ts';

let it: TestApp;
beforeAll(async () => {
  it = await startTestApp();
});
afterAll(() => it.close());

test('a person signs up, enters the code and is in', async () => {
  const client = it.client();
  const signedUp = await client.post('/api/auth/signup', {
    ...{ firstName: 'Awa', lastName: 'Sawadogo', phone: '70 12 34 56', countryCode: '+226', email: '' },
    ...{ password: 'secret1', confirmPassword: 'secret1' },
  });
  expect(signedUp).toMatchObject({ status: 201, body: { user: { phone: '+22670123456', isVerified: false } } });
  expect(JSON.stringify(signedUp.body)).not.toContain('argon2');
  const code = await it.readCode('+22670123456');
  const verified = await client.post('/api/auth/verify-otp', { phone: '+22670123456', code });
  expect(verified).toMatchObject({ status: 200, body: { user: { isVerified: true } } });
  expect(await client.get('/api/auth/me')).toMatchObject({ status: 200, body: { user: { firstName: 'Awa' } } });
});

test('300 parallel wrong codes spend exactly 3 tries, and the right code is dead after them', async () => {
  const client = it.client();
  await client.post('/api/auth/signup', {
    ...{ firstName: 'Awa', lastName: 'Sawadogo', phone: '+22670123457', countryCode: '+226' },
    ...{ password: 'secret1', confirmPassword: 'secret1' },
  });
  const right = await it.readCode('+22670123457');
  const wrong = right === '0000' ? '0001' : '0000';
  const answers = await Promise.all(
    Array.from({ length: 300 }, () => client.post('/api/auth/verify-otp', { phone: '+22670123457', code: wrong })),
  );
  expect(answers.every((answer) => answer.status === 400 && answer.body.code === 'CODE_INVALID')).toBe(true);
  const { rows } = await it.pool.query("select attempts from otp_codes where phone = '+22670123457'");
  expect(rows).toEqual([{ attempts: 3 }]);
  const late = await client.post('/api/auth/verify-otp', { phone: '+22670123457', code: right });
  expect(late).toMatchObject({ status: 400, body: { code: 'CODE_INVALID', message: 'Code OTP invalide ou expiré.' } });
});

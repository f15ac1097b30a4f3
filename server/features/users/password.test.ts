import { argon2Sync } from 'node:crypto';
import { expect, test } from 'vitest';
import { hashPassword, isPassword } from './password.ts';

test('a hash is a PHC string of argon2id, at the least cost OWASP asks for', async () => {
  expect(await hashPassword('secret1')).toMatch(
    /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
  );
});

test('a hash made at another cost, is still read', async () => {
  const nonce = Buffer.from('saltsaltsaltsalt');
  const hash = argon2Sync('argon2id', {
    message: 'secret1',
    nonce,
    memory: 8_192,
    passes: 1,
    parallelism: 2,
    tagLength: 24,
  });
  const encode = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '');
  const phc = `$argon2id$v=19$m=8192,t=1,p=2$${encode(nonce)}$${encode(hash)}`;
  expect(await isPassword('secret1', phc)).toBe(true);
  expect(await isPassword('secret2', phc)).toBe(false);
});

test.each([
  ['éte 2026', 'e\u0301te 2026'],
  ['un mot secret', 'un\u202fmot\u3000secret'],
])('one password has many spellings: %j is the hashed one as %j too', async (one, other) => {
  const hash = await hashPassword(one);
  expect(await isPassword(other, hash)).toBe(true);
  expect(await isPassword(`${other}x`, hash)).toBe(false);
});

test.each([
  null,
  '',
  'secret1',
  '$argon2i$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$AAAA',
  '$2b$10$abcdefghijklmnopqrstuv',
])('there is no password, in %o', async (hash) => {
  expect(await isPassword('secret1', hash)).toBe(false);
});

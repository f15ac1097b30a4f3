import { mkdtempSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readOrMakeSecret } from './secret-file.ts';

test('a secret is made once, and its owner alone reads it', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-secret-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'below', 'secret');
  const secret = readOrMakeSecret(file);
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(readOrMakeSecret(file)).toBe(secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

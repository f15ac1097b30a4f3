import { randomBytes, timingSafeEqual } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CannotStart } from './cannot-start.ts';

/** A secret of 256 random bits in a file that only its owner reads. It is made once, atomically. Throws `CannotStart` for a short one. */
export function readOrMakeSecret(file: string): string {
  if (!existsSync(file)) makeSecret(file);
  return readSecret(file);
}

/** The setting's secret, else the one in the product's folder; undefined before the first start makes it. */
export function findSecret({ SESSION_SECRET }: { SESSION_SECRET?: string | undefined }, home: string | undefined) {
  const file = home && secretFile(home);
  return SESSION_SECRET ?? (file && existsSync(file) ? readSecret(file) : undefined);
}

/** The file of a secret that no setting gives. */
export const secretFile = (home: string): string => path.join(home, 'session-secret');

function readSecret(file: string): string {
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 32) throw new CannotStart(`Le fichier ${file} est endommagé : rétablissez-le, ou supprimez-le.`);
  return secret;
}

function makeSecret(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
  writeFileSync(unfinished, randomBytes(32).toString('base64url'), { mode: 0o600, flush: true });
  try {
    linkSync(unfinished, file);
  } catch (error) {
    // A file system without hard links. A rename is atomic too, but two first starts at once could end with different secrets.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!existsSync(file) && ['EPERM', 'ENOTSUP', 'ENOSYS'].includes(code)) renameSync(unfinished, file);
    else if (!existsSync(file)) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Whether two texts are the same, in a time that does not depend on where they differ. */
export function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}

import { randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { CannotStart } from './cannot-start.ts';

/**
 * A secret of 256 random bits kept in a file only its owner reads: made the first time, whole or not at all, and the same
 * for processes that make it at once. Throws CannotStart for a file that is too short to be one.
 */
export function readOrMakeSecret(file: string): string {
  if (!existsSync(file)) makeSecret(file);
  const secret = readFileSync(file, 'utf8').trim();
  if (secret.length < 32) throw new CannotStart(`Le fichier ${file} est endommagé : rétablissez-le, ou supprimez-le.`);
  return secret;
}

function makeSecret(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const unfinished = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = openSync(unfinished, 'w', 0o600);
  writeSync(handle, randomBytes(32).toString('base64url'));
  fsyncSync(handle);
  closeSync(handle);
  try {
    linkSync(unfinished, file);
  } catch (error) {
    // A file system without hard links: a rename is whole too, though two first starts at once could differ.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!existsSync(file) && ['EPERM', 'ENOTSUP', 'ENOSYS'].includes(code)) renameSync(unfinished, file);
    else if (!existsSync(file)) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

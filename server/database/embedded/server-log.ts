import { closeSync, constants, fchownSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import path from 'node:path';
import { databaseLimits } from '#server/process/limits.ts';
import type { Account } from './account.ts';

const fileIn = (dataFolder: string) => path.join(dataFolder, 'server.log');
// The folder is another account's: a link laid there by it would have root write wherever it points.
const noLinks = constants.O_NOFOLLOW ?? 0;

/** Opens what PostgreSQL writes its log to, for appending. */
export function openServerLog(dataFolder: string, account: Account | undefined): number {
  const flags = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | noLinks;
  const log = openSync(fileIn(dataFolder), flags, 0o600);
  if (account) fchownSync(log, account.uid, account.gid);
  return log;
}

/**
 * Cuts the log to its end once it is longer than `databaseLimits.logBytes`: PostgreSQL keeps the file open, so it cannot be
 * put aside, and its own collector bounds the age of a log and not its size. A line written meanwhile may be lost.
 */
export function shortenServerLog(dataFolder: string): void {
  withLog(dataFolder, constants.O_RDWR | constants.O_APPEND, (log) => {
    if (fstatSync(log).size <= databaseLimits.logBytes) return;
    const kept = readEnd(log, databaseLimits.logBytes / 4);
    ftruncateSync(log);
    writeSync(log, kept);
  });
}

/** How long the log is, in bytes. */
export function lengthOfServerLog(dataFolder: string): number {
  return withLog(dataFolder, constants.O_RDONLY, (log) => fstatSync(log).size) ?? 0;
}

/** What PostgreSQL gave as its reason to end, in what it wrote after the first `from` bytes. */
export function lastWords(dataFolder: string, from: number): string {
  const text = withLog(dataFolder, constants.O_RDONLY, (log) =>
    readEnd(log, Math.max(0, fstatSync(log).size - from)).toString('utf8'),
  );
  const lines = (text ?? '').trim().split('\n');
  const fatal = lines.filter((line) => /FATAL|PANIC/.test(line));
  return (fatal.length > 0 ? fatal : lines).slice(-2).join(' ');
}

function withLog<Result>(dataFolder: string, flags: number, work: (log: number) => Result): Result | undefined {
  let log: number;
  try {
    log = openSync(fileIn(dataFolder), flags | noLinks);
  } catch {
    return undefined;
  }
  try {
    return work(log);
  } finally {
    closeSync(log);
  }
}

function readEnd(log: number, most: number): Buffer {
  const { size } = fstatSync(log);
  const end = Buffer.alloc(Math.min(size, most, databaseLimits.logBytes));
  const read = readSync(log, end, 0, end.length, size - end.length);
  return end.subarray(0, read);
}

import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { addressesIn } from './caller-address.ts';

/** An id of somebody else's: long enough to be one, no number, and nothing that a line of the log could be mistaken by. */
const wellFormed = /^(?=.*[A-Za-z])[\w-]{8,64}$/;

/**
 * Gives each request the id under which the log has it: the one that a trusted proxy sends as X-Request-Id, else one of our
 * own. Ours begin with letters of this process's own, since processes share their log, and never have the form of a phone
 * number, which the log masks.
 */
export function requestIds(trusted: readonly string[] | undefined): (request: IncomingMessage) => string {
  const prefix = Array.from({ length: 8 }, () => String.fromCharCode(97 + randomInt(26))).join('');
  const isTrusted = trusted && addressesIn(trusted);
  let count = 0;
  return ({ headers, socket }) => {
    if (isTrusted?.(socket.remoteAddress)) {
      const given = headers['x-request-id'];
      if (typeof given === 'string' && wellFormed.test(given)) return given;
    }
    count += 1;
    return `${prefix}-${count.toString(36)}`;
  };
}

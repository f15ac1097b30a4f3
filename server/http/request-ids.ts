import { randomInt } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { addressesIn } from './caller-address.ts';

/** An id from a proxy: long enough, with a letter, and without characters that could forge a line of the log. */
const wellFormed = /^(?=.*[A-Za-z])[\w-]{8,64}$/;

/**
 * Gives each request its id for the log: the X-Request-Id of a trusted proxy, else a new one. New ids begin with letters of
 * this process, since processes share their log. They never look like a phone number, which the log masks.
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

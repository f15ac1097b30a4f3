import { createHmac, timingSafeEqual } from 'node:crypto';

/** Crockford's base 32, without I, L, O and U: https://www.crockford.com/base32.html */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** 60 bits: a million addresses, each at its limit, need a hundred thousand years to guess one ticket's code. */
const sealLength = 12;

interface Ticket {
  id: number;
  createdAt: Date;
}

/** The code of a ticket's receipt, such as 12-7KQ0ZP4M1XHA. */
export const receiptCode = (key: Buffer, ticket: Ticket): string => `${ticket.id}-${sealOf(key, ticket)}`;

function sealOf(key: Buffer, { id, createdAt }: Ticket): string {
  const digest = createHmac('sha256', key).update(`${id}|${createdAt.toISOString()}`).digest();
  return [...digest.subarray(0, sealLength)].map((byte) => alphabet[byte % alphabet.length]).join('');
}

/** The parts of a typed code; those of no ticket for any other text. */
export function readCode(typed: string): { id: number; seal: string } {
  const plain = typed.trim().toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1');
  const [, number = '0', seal = ''] = /^(\d{1,10})-([0-9A-Z]{12})$/.exec(plain) ?? [];
  const id = Number(number);
  return id < 2 ** 31 ? { id, seal: seal.padEnd(sealLength, '-') } : { id: 0, seal };
}

/** Whether a seal is the ticket's, in constant time. */
export function isSealOf(key: Buffer, ticket: Ticket, seal: string): boolean {
  return timingSafeEqual(Buffer.from(sealOf(key, ticket)), Buffer.from(seal));
}

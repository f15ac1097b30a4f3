import * as z from 'zod';

const protocol = /^postgres(?:ql)?$/;
/** Scheme, user and password, hosts, and the rest, of a PostgreSQL address (PostgreSQL's documentation, 34.1.1.2). */
const parts = /^(\w+:\/\/)([^/?#]*@)?([^/?#]*)(.*)$/s;

/** The same address for each of its hosts, in their order: JavaScript's own URLs, which the driver reads, have one host. */
export function addressesOf(url: string): string[] {
  const [, scheme = '', account = '', hosts = '', rest = ''] = parts.exec(url) ?? [];
  return hosts.includes(',') ? hosts.split(',').map((host) => scheme + account + host + rest) : [url];
}

/** The product writes, so of several servers it wants the one that takes writes, whether this is said or not. */
const wantsWrites = (address: string) =>
  [null, 'read-write', 'primary'].includes(new URL(address).searchParams.get('target_session_attrs'));

/** `postgres://…` with one host or several. */
export const databaseUrl = z
  .string()
  .refine((url) => addressesOf(url).every((each) => z.url({ protocol }).safeParse(each).success), {
    error: 'une adresse postgres://…, avec un serveur ou plusieurs, séparés par des virgules',
    abort: true,
  })
  .refine(
    (url) => addressesOf(url).every(wantsWrites),
    'target_session_attrs ne peut valoir que read-write ou primary',
  );

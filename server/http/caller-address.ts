import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/** Whether an address is one of these, or in one of these networks (CIDR). */
export function addressesIn(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) =>
    address !== undefined && isIP(address) > 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** Whom a request comes from, before it is one of Fastify's: the same address as its `request.ip`. */
export function callerAddress(trusted: readonly string[] | undefined): (request: IncomingMessage) => string {
  if (!trusted) return ({ socket }) => socket.remoteAddress ?? '';
  const isTrusted = addressesIn(trusted);
  return ({ socket, headers }) => {
    let address = socket.remoteAddress ?? '';
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    // Each proxy appends the address of its caller.
    for (let from = forwarded.pop(); from && isTrusted(address); from = forwarded.pop()) address = from.trim();
    return address;
  };
}

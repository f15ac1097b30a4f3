import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/** The key under which an address is counted. IPv6 addresses count by their first four groups, since a subscriber has a whole /64. */
export function addressKey(ip: string): string {
  if (!ip.includes(':') || ip.includes('.')) return ip;
  const [head = '', tail = ''] = ip.split('::');
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  const zeros = ip.includes('::') ? Array.from({ length: 8 - before.length - after.length }, () => '0') : [];
  return [...before, ...zeros, ...after].slice(0, 4).join(':');
}

/** `X-Forwarded-For` without the ports and brackets that some proxies write: each connection has a port of its own. */
export function withoutPorts(forwarded: string): string {
  const addresses = forwarded.split(',').map((each) => each.trim());
  return addresses.map((each) => each.replace(/^\[(.*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2')).join();
}

/** A test whether an address is one of these, or in one of these networks (CIDR). */
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

/** The address of a request that Fastify has not seen yet; the same as its `request.ip`. */
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

/** Loopback and private networks: an undeclared proxy or a neighbour. `::/128` begins with the key of ::1. */
const isNearby = addressesIn(
  '127.0.0.0/8 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 169.254.0.0/16 ::/128 fc00::/7 fe80::/10'.split(' '),
);

/** The network of an `addressKey`: an IPv4 /24 or IPv6 /48; undefined for a private address, which does not identify the caller. */
export function networkKey(address: string): string | undefined {
  const ipv4 = address.replace(/^::ffff:/i, '');
  if (ipv4.includes('.')) return !isIPv4(ipv4) || isNearby(ipv4) ? undefined : ipv4.split('.').slice(0, 3).join('.');
  if (!isIPv6(`${address}::`) || isNearby(`${address}::`)) return undefined;
  return address.split(':').slice(0, 3).join(':');
}

/** Counts requests by address in memory. Beyond `addresses` addresses in a period the others share one counter. */
export function countByAddress({ atMost, periodMs, addresses }: Record<'atMost' | 'periodMs' | 'addresses', number>) {
  const counts = new Map<string, number>();
  const timer = setInterval(() => counts.clear(), periodMs).unref();
  return {
    /** Counts a request; false once its address has exceeded the limit of this period. */
    take(address: string): boolean {
      let key = addressKey(address);
      let count = counts.get(key);
      if (count === undefined && counts.size >= addresses) {
        key = 'others';
        count = counts.get(key);
      }
      counts.set(key, (count ?? 0) + 1);
      return (count ?? 0) < atMost;
    },
    stop: () => clearInterval(timer),
  };
}

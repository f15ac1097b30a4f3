import { BlockList, isIPv6 } from 'node:net';

/** Loopback and private networks: an address of these is an undeclared proxy's, or a neighbour's. */
const nearby = new BlockList();
for (const [net, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['169.254.0.0', 16],
] as const)
  nearby.addSubnet(net, prefix, 'ipv4');
for (const [net, prefix] of [
  // What the key of ::1 is the beginning of.
  ['::', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  nearby.addSubnet(net, prefix, 'ipv6');

/**
 * The network of an address, by its key (`addressKey`): an IPv4 /24, or an IPv6 /48, which a household or a firm is handed.
 * Undefined of one nearby, which tells nothing about who calls.
 */
export function networkKey(address: string): string | undefined {
  const ipv4 = address.replace(/^::ffff:/i, '');
  if (ipv4.includes('.')) return nearby.check(ipv4, 'ipv4') ? undefined : ipv4.split('.').slice(0, 3).join('.');
  if (!isIPv6(`${address}::`) || nearby.check(`${address}::`, 'ipv6')) return undefined;
  return address.split(':').slice(0, 3).join(':');
}

import { expect, test } from 'vitest';
import { networkKey } from './networks.ts';
import { addressKey } from './rate-limits.ts';

test.each([
  ['203.0.113.7', '203.0.113'],
  ['::ffff:203.0.113.7', '203.0.113'],
  ['100.64.1.2', '100.64.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1'],
  ['2001:db8::1', '2001:db8:0'],
])('%s is in the network %s', (ip, network) => {
  expect(networkKey(addressKey(ip))).toBe(network);
});

test.each([
  ['127.0.0.1'],
  ['::ffff:127.0.0.1'],
  ['::1'],
  ['10.1.2.3'],
  ['172.31.255.255'],
  ['192.168.1.1'],
  ['169.254.0.1'],
  ['fe80::1'],
  ['fd12:3456::1'],
  ['not an address'],
])('%s is nearby, and says nothing about who calls', (ip) => {
  expect(networkKey(addressKey(ip))).toBeUndefined();
});

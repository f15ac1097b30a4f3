import type { IncomingMessage } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { addressKey, callerAddress, countByAddress, networkKey, withoutPorts } from './addresses.ts';

afterEach(() => void vi.useRealTimers());

const from = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: forwarded ? { 'x-forwarded-for': forwarded } : {} }) as IncomingMessage & {
    headers: { 'x-forwarded-for'?: string };
  };

test.each([
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::ffff:1', '2001:db8:0:0'],
  ['2001:db8:0:0:1:2:3:4', '2001:db8:0:0'],
  ['2001:db8:0:1::1', '2001:db8:0:1'],
  ['::1', '0:0:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::ffff:1.2.3.4', '::ffff:1.2.3.4'],
  ['192.0.2.1', '192.0.2.1'],
  ['', ''],
])('%j counts as %j', (address, key) => {
  expect(addressKey(address)).toBe(key);
});

test.each([
  ['192.0.2.1', undefined, '192.0.2.1'],
  ['192.0.2.1', '198.51.100.7', '192.0.2.1'],
  ['10.0.0.7', '198.51.100.7', '198.51.100.7'],
  ['::ffff:10.0.0.7', '198.51.100.7', '198.51.100.7'],
  ['10.0.0.7', '203.0.113.9, 198.51.100.7,10.0.0.8', '198.51.100.7'],
  ['10.0.0.7', '10.0.0.9, 10.0.0.8', '10.0.0.9'],
  ['10.0.0.7', 'unknown, 10.0.0.8', 'unknown'],
  ['10.0.0.7', undefined, '10.0.0.7'],
])('from %s, which forwards for %s, a request is of %s', (remote, forwarded, address) => {
  expect(callerAddress(['10.0.0.0/24'])(from(remote, forwarded))).toBe(address);
});

test.each([
  ['41.202.11.6:40001', '41.202.11.6'],
  ['41.202.11.6', '41.202.11.6'],
  ['[2001:db8::7]:40001', '2001:db8::7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['::ffff:41.202.11.6', '::ffff:41.202.11.6'],
  ['203.0.113.9:1, [2001:db8::7]:2 ,10.0.0.8:65535', '203.0.113.9,2001:db8::7,10.0.0.8'],
  ['unknown, 10.0.0.8', 'unknown,10.0.0.8'],
  ['', ''],
])('a proxy that forwards for %j does so for %j', (forwarded, addresses) => {
  expect(withoutPorts(forwarded)).toBe(addresses);
});

test("without proxies that are trusted, what a header says is nobody's address", () => {
  expect(callerAddress(undefined)(from('192.0.2.1', '198.51.100.7'))).toBe('192.0.2.1');
});

test('an address has so many answers in a period, its whole network together; then again', () => {
  vi.useFakeTimers();
  const counter = countByAddress({ atMost: 2, periodMs: 60_000, addresses: 10 });
  const take = (address: string) => counter.take(address);
  expect([take('2001:db8::1'), take('2001:db8::2'), take('2001:db8::3')]).toEqual([true, true, false]);
  expect([take('2001:db8:0:1::1'), take('192.0.2.1')]).toEqual([true, true]);
  vi.advanceTimersByTime(60_000);
  expect(take('2001:db8::1')).toBe(true);
  counter.stop();
});

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
  ['1.2.3.4:5678'],
  ['10.0.0.5:1234'],
])('%s is nearby, and says nothing about who calls', (ip) => {
  expect(networkKey(addressKey(ip))).toBeUndefined();
});

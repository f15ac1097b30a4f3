import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addresses,
  adminAddresses,
  codeAddresses,
  levelAddress,
  matchAny,
  notificationAddress,
  privacyAddress,
  readLevel,
  termsAddress,
  ticketDetailAddress,
  userAddresses,
} from './addresses.ts';
import { adminTabAddress, readAdminTab } from './admin-addresses.ts';

const id = fc.integer({ min: 1, max: 2_147_483_647 });
const searchOf = (address: string) => new URL(address, 'https://guichet.bf').search;

describe('the open level of the catalogue', () => {
  test.each([
    [[], '/'],
    [[1], '/?dans=1'],
    [[1, 4], '/?dans=1,4'],
  ])('%j is at %s', (ids, address) => {
    expect(levelAddress(ids)).toBe(address);
  });

  test('is read back from its address, whatever the services', () => {
    fc.assert(
      fc.property(fc.array(id, { maxLength: 5 }), (ids) => {
        expect(readLevel(searchOf(levelAddress(ids)))).toEqual(ids);
        expect(readLevel(searchOf(levelAddress(ids)).slice(1))).toEqual(ids);
      }),
    );
  });

  test.each([
    ['', []],
    ['?dans', []],
    ['?dans=a', []],
    ['?dans=-1,+2,1.5,1e3,0x1', []],
    ['?dans=١', []],
    ['?dans=1,x,4,', [1, 4]],
    ['?dans=1%2C4', [1, 4]],
    ['?onglet=tickets&dans=7', [7]],
    ['?dans=1&dans=2', [1]],
    [`?dans=${'9'.repeat(400)}`, []],
  ])('of a query such as %j is %j', (search, ids) => {
    expect(readLevel(search)).toEqual(ids);
  });
});

describe.each([
  ['userAddresses', userAddresses],
  ['codeAddresses', codeAddresses],
])('one pattern for %s', (_, group: Record<string, string>) => {
  const pattern = matchAny(group);
  const own = Object.values(group).map((address) => address.replace(/:id\??/, '12'));
  const others = Object.values(addresses).filter((address) => !Object.values(group).includes(address));

  test.each(own)('takes %s, in capitals and with a slash at its end too', (address) => {
    for (const path of [address, address.toUpperCase(), address === '/' ? '/' : `${address}/`])
      expect(path).toMatch(pattern);
  });

  test.each([...others, '/content/x'])('leaves %s to others', (address) => {
    expect(address).not.toMatch(pattern);
  });

  test.each(own.filter((address) => address !== '/'))('leaves the neighbours of %s alone', (address) => {
    for (const path of [`${address}/x`, `${address}//`, `/x${address}`, address.slice(1)])
      expect(path).not.toMatch(pattern);
  });
});

test('the addresses made for one thing are those that its screen stands at', () => {
  fc.assert(
    fc.property(id, (each) => {
      expect(notificationAddress(each)).toMatch(matchAny({ notification: userAddresses.notification }));
      expect(ticketDetailAddress(each)).toMatch(matchAny({ ticket: userAddresses.ticket }));
    }),
  );
  for (const page of [termsAddress, privacyAddress]) expect(page).toMatch(matchAny({ content: addresses.content }));
});

test("a tab of the administrators' panel is read back from its address", () => {
  for (const [tab, address] of Object.entries(adminAddresses)) {
    expect(readAdminTab(address)).toBe(tab);
    expect(readAdminTab(`${address}/`.toUpperCase())).toBe(tab);
    expect(address).toMatch(matchAny(adminAddresses));
  }
  expect(adminTabAddress('tickets', 'statut=pending')).toBe('/admin/tickets?statut=pending');
  for (const address of ['/', '/tickets', '/admin/nothing', '/administrator'])
    expect(readAdminTab(address)).toBeUndefined();
  expect(matchAny(adminAddresses).test('/admin/nothing')).toBe(false);
});

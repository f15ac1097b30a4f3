import { expect, test } from 'vitest';
import { guessAccount } from './guess-account.ts';

const orange = { number: '57 00 00 00', country: '+226' } as const;
const moov = { number: '+22660111111', country: '+226' } as const;
const code = { number: '5100', country: '+226' } as const;
const all = [code, moov, orange];

test.each([
  ['MSISDN;57000000;\n57000000 Money Received from 60111111;5100', orange],
  ['Compte : +226 60 11 11 11', moov],
  ['00226 60111111', moov],
  ['releve_57000000.xlsx\nPK\u0003\u0004', orange],
  [[...'Compte 57000000'].join('\0'), orange],
  ['60111111 et 57000000', undefined],
  ['1570000005;5100;5100', undefined],
  ['', undefined],
])('the account of %j is the one whose number it names most often', (text, account) => {
  expect(guessAccount(text, all)).toBe(account);
});

import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type CountryCode, countries } from '#contract/phone.ts';
import { guessPayment } from './guess-payment.ts';

const files = globSync('*/cases/*.txt', { cwd: import.meta.dirname });
const payments = files.flatMap((file) => {
  const [text = '', expected = ''] = readFileSync(path.join(import.meta.dirname, file), 'utf8').split('\n---\n');
  const country = countries.find(({ iso }) => file.split('/')[0]?.endsWith(`-${iso.toLowerCase()}`))
    ?.code as CountryCode;
  const read = JSON.parse(expected);
  return read.kind === 'payment' ? [{ file, text, country, read }] : [];
});

test.each(payments)('what a known payment says is guessed without its pattern: $file', ({ text, country, read }) => {
  const guess = guessPayment(text, country);
  const shown = {
    gross: guess.gross,
    reference: guess.reference,
    balanceAfter: guess.balanceAfter,
    payer: guess.payer,
  };
  const { gross, reference, balanceAfter, payer } = read;
  expect(shown).toEqual({ gross, reference, balanceAfter, payer: payer?.startsWith('+') ? payer : undefined });
  // Beside a number of no country that is served, a name is nothing that stands out.
  const [name] = payer?.startsWith('00') ? [] : (/EXEMPLE|INVENTEE|Exemple|Inventée/.exec(text) ?? []);
  expect(guess.name?.includes(name ?? guess.name) ?? name === undefined).toBe(true);
});

test.each(['Colis arrive 28829f00', 'Colis arrive 2f694b89'])(
  'letters and digits of one word are no amount: %s',
  (text) => {
    expect(guessPayment(text, '+226').gross).toBeUndefined();
  },
);

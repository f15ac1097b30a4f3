import { expect, test } from 'vitest';
import { countryOfPath, findDoubts } from '#contract/order-doubts.ts';
import { type Country, countries } from '#contract/phone.ts';
import { operatorOf } from '#contract/phone-operators.ts';
import { findWallet } from '#contract/wallets.ts';
import { type StarterService, starterCatalogue } from './catalogue.ts';

const finalPaths = (services: readonly StarterService[], above: string[] = []): string[][] =>
  services.flatMap(({ name, children }) => (children ? finalPaths(children, [...above, name]) : [[...above, name]]));

/** A mobile number of the country, and of the operator whose lines the path is for. */
function numberFor({ code, mobile, groups }: Country, path: string[]): string | undefined {
  const wallet = countryOfPath(path) && findWallet(...path);
  const length = groups.reduce((sum, size) => sum + size, 0);
  return Array.from({ length: 10_000 }, (_, prefix) => String(prefix).padStart(4, '0').padEnd(length, '0'))
    .filter((national) => mobile.test(national))
    .map((national) => code + national)
    .find((e164) => {
      const operator = operatorOf(e164);
      return !operator || !wallet || findWallet(operator) === wallet;
    });
}

const paths = finalPaths(starterCatalogue);

test.each(countries)('no ordinary order of the starter catalogue raises a doubt for a payer of $name', (home) => {
  expect(paths.length).toBeGreaterThan(50);
  for (const path of paths) {
    const isAbroad = path.some((name) => name.includes('voisin'));
    const country = countryOfPath(path) ?? (isAbroad ? countries.find((each) => each !== home) : home);
    const beneficiary = (country && numberFor(country, path)) ?? '';
    expect(beneficiary).not.toBe('');
    const order = { serviceId: 1, path, beneficiary, total: 1000, payerCountry: home.code };
    expect(findDoubts(order, []), path.join(' / ')).toEqual([]);
  }
});

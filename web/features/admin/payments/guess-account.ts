import type { PaymentAccount } from '#contract/payment-feed.ts';

/** Fewer digits may be an amount. */
const shortest = 6;

/** The account whose number a statement names most often; undefined of one that names none, or two as often. */
export function guessAccount<Account extends Pick<PaymentAccount, 'number' | 'country'>>(
  text: string,
  accounts: readonly Account[],
): Account | undefined {
  // A text in two bytes a letter has a zero in each.
  const plain = text.replaceAll('\0', '');
  const [first, second] = accounts
    .map((account) => ({ account, count: countOf(plain, account) }))
    .sort((a, b) => b.count - a.count);
  return first && first.count > (second?.count ?? 0) ? first.account : undefined;
}

function countOf(text: string, { number, country }: Pick<PaymentAccount, 'number' | 'country'>): number {
  const code = country.slice(1);
  const digits = number.replace(/\D/g, '').replace(new RegExp(`^(?:00)?${code}(?=\\d{${shortest}})`), '');
  if (digits.length < shortest) return 0;
  const spaced = [...digits].join('[ .-]?');
  return [...text.matchAll(new RegExp(`(?<!\\d)(?:(?:00|\\+)?${code} ?)?${spaced}(?!\\d)`, 'g'))].length;
}

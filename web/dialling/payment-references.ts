interface Wallet {
  name: 'Orange Money' | 'Moov Money' | 'Wave' | 'MTN MoMo' | 'Mixx';
  /** In the name of its payment type or operator. */
  brands: RegExp;
  /** How its references look. */
  look: string;
}

/** The wallets whose references are known. */
const wallets: readonly Wallet[] = [
  { name: 'Orange Money', brands: /orange/i, look: 'ressemble à PP240512.1234.A12345' },
  { name: 'Moov Money', brands: /moov|flooz/i, look: 'ressemble à DAT362O1CX' },
  { name: 'Wave', brands: /wave/i, look: 'ressemble à T_46HS5COOWE' },
  { name: 'MTN MoMo', brands: /mtn|momo/i, look: 'a 11 chiffres' },
  { name: 'Mixx', brands: /mixx|yas\b|t-?money/i, look: 'a 11 chiffres' },
];

/** The wallet of a payment type, if its name or its operator's tells it. */
export const findWallet = (name: string | null | undefined): Wallet | undefined =>
  wallets.find(({ brands }) => brands.test(name ?? ''));

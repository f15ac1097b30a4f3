interface Wallet {
  name: string;
  /** In the name of its payment type or operator. */
  brands: RegExp;
  /** How its references look, where that is known. */
  look?: string;
}

const wallets: readonly Wallet[] = [
  { name: 'Orange Money', brands: /orange/i, look: 'ressemble à PP240512.1234.A12345' },
  { name: 'Moov Money', brands: /moov|flooz/i, look: 'ressemble à DAT362O1CX' },
  { name: 'Wave', brands: /wave/i, look: 'ressemble à T_46HS5COOWE' },
  { name: 'MTN MoMo', brands: /mtn|momo/i, look: 'a 11 chiffres' },
  { name: 'Mixx', brands: /mixx|yas\b|t-?money/i, look: 'a 11 chiffres' },
  { name: 'Telecel Money', brands: /telecel/i },
  { name: 'Airtel Money', brands: /airtel/i },
];

/**
 * The wallet that these names tell, the first before the others: that of a payment type before its operator, which may only be
 * whose line its code is dialled from. Undefined where no name tells one, such as those of a shop's own.
 */
export const findWallet = (...names: (string | null | undefined)[]): Wallet | undefined =>
  names.flatMap((name) => wallets.find(({ brands }) => brands.test(name ?? '')) ?? [])[0];

interface Wallet {
  name: string;
  /** How its name appears in that of a payment type or operator. */
  brands: RegExp;
  /** The form of its references, if known. */
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

/** The wallets in these names, earlier names first. */
export const listWallets = (...names: (string | null | undefined)[]): Wallet[] =>
  names.flatMap((name) => wallets.filter(({ brands }) => brands.test(name ?? '')));

/**
 * The first wallet in these names: give a payment type's name before its operator's, which may only name the SIM that
 * dials. Undefined if no name contains one.
 */
export const findWallet = (...names: (string | null | undefined)[]): Wallet | undefined => listWallets(...names)[0];

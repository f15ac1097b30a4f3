import type { CSSProperties } from 'react';
import { fold } from '#contract/fold.ts';
import { join } from '#web/ui/join.ts';

/** Light background and dark letters, exchanged in the dark theme; a contrast of at least 4.5:1. They only resemble the operators' colours. */
export const markTones = {
  orange: ['#fff0e0', '#9a4500'],
  blue: ['#e3edff', '#12408f'],
  yellow: ['#fdf3c4', '#6b4e00'],
  red: ['#fde7ea', '#9a1128'],
  violet: ['#f0e8fb', '#5b2a9d'],
  sky: ['#e0f4fc', '#0b5478'],
  green: ['#e2f4e6', '#14602f'],
  teal: ['#dcf3f1', '#0d5652'],
  rose: ['#fde6f3', '#8a1259'],
  grey: ['#eeeae3', '#475569'],
} as const;
export type MarkTone = keyof typeof markTones;

interface Operator {
  /** The operator's name and its wallet's, in lower case. */
  brands: string[];
  tone: MarkTone;
  initials: string;
  /** The letters of its wallet, if the wallet's name differs. */
  wallet?: string;
}

const operators: Operator[] = [
  { brands: ['orange'], tone: 'orange', initials: 'OR', wallet: 'OM' },
  { brands: ['moov', 'flooz'], tone: 'blue', initials: 'MO', wallet: 'MM' },
  { brands: ['mtn'], tone: 'yellow', initials: 'MT' },
  { brands: ['telecel'], tone: 'rose', initials: 'TE', wallet: 'TC' },
  { brands: ['airtel'], tone: 'red', initials: 'AI', wallet: 'AM' },
  { brands: ['yas'], tone: 'violet', initials: 'YA' },
  { brands: ['mixx'], tone: 'violet', initials: 'MX' },
  { brands: ['wave'], tone: 'sky', initials: 'WA' },
  { brands: ['coris'], tone: 'blue', initials: 'CO', wallet: 'CM' },
  { brands: ['free'], tone: 'red', initials: 'FR', wallet: 'FM' },
  { brands: ['zamani'], tone: 'orange', initials: 'ZA', wallet: 'ZC' },
  { brands: ['celtiis'], tone: 'green', initials: 'CE', wallet: 'CC' },
  { brands: ['malitel'], tone: 'teal', initials: 'MA' },
  { brands: ['togocel', 'togocom'], tone: 'green', initials: 'TG' },
  { brands: ['tmoney'], tone: 'green', initials: 'TM' },
  { brands: ['expresso'], tone: 'teal', initials: 'EX' },
  { brands: ['emoney'], tone: 'teal', initials: 'EM' },
  { brands: ['wizall'], tone: 'rose', initials: 'WI' },
  { brands: ['ligdicash'], tone: 'green', initials: 'LC' },
];

const wallets = ['money', 'momo', 'cash', 'pay'];
/** Words that may accompany a brand in an operator's name; with any other word the name is a product's. */
const companions = [
  ...wallets,
  ...'africa mobile telecom by bank burkina faso cote d ivoire mali niger benin togo senegal'.split(' '),
];

/** The words of a name, without accents and capitals; 'T-Money' is one word. */
function wordsOf(name: string): string[] {
  const plain = fold(name);
  return plain.replace(/\b([te])[- ]money\b/, '$1money').match(/[\p{L}\p{N}]+/gu) ?? [];
}

export interface Mark {
  initials: string;
  tone: MarkTone;
}

/** The mark of an operator, if a name is an operator's, such as 'Orange', 'Moov Africa' or 'Wave'. */
export function operatorMark(name: string): Mark | undefined {
  const words = wordsOf(name);
  const found = operators.find(({ brands }) => brands.some((brand) => words[0] === brand));
  const ownName = words
    .slice(1)
    .every((word) => companions.includes(word) || operators.some((each) => each.brands.includes(word)));
  if (!found || !ownName) return undefined;
  const isWallet = words.some((word) => wallets.includes(word));
  return { initials: (isWallet && found.wallet) || found.initials, tone: found.tone };
}

/** Initials of other names: the first letters of the first two words, or of the only one. */
function initialsOf(name: string): string {
  const [first = '', second] = wordsOf(name);
  return (second ? `${first[0]}${second[0]}` : first.slice(0, 2)).toUpperCase();
}

const sizes = { small: 'size-9 text-small', medium: 'size-[min(2.5rem,11.2vw)] text-[min(var(--text-body),4.2vw)]' };

/** A coloured tile with initials for what has no picture, never a logo; hidden from the accessible name of the control around it. */
export function OperatorMark({ name, size }: { name: string; size: keyof typeof sizes }) {
  const { initials, tone } = operatorMark(name) ?? { initials: initialsOf(name), tone: 'grey' };
  const [pale, deep] = markTones[tone];
  return (
    <span
      className={join(
        sizes[size],
        'flex shrink-0 items-center justify-center rounded-xl bg-(--pale) font-bold text-(--deep) before:content-[attr(data-initials)] dark:bg-(--deep) dark:bg-[linear-gradient(rgb(0_0_0/0.45)_0_0)] dark:text-(--pale)',
      )}
      style={{ '--pale': pale, '--deep': deep } as CSSProperties}
      data-initials={initials}
      aria-hidden="true"
    />
  );
}

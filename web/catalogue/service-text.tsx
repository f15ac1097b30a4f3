import type { CSSProperties } from 'react';
import { defaultTextColor, type Service } from '#contract/catalogue.ts';
import { OperatorMark, operatorMark } from './operator-mark.tsx';
import { Picture } from './picture.tsx';
import { readableOnWhite } from './readable-colour.ts';

const sizes = { small: '0.75rem', medium: '0.875rem', large: '1rem' };

/** Whether the colour is the default, which follows the theme. Another was chosen for white, and is drawn on `paper`. */
export const isPlain = ({ textColor }: Pick<Service, 'textColor'>) => textColor.toUpperCase() === defaultTextColor;

/** The text style that an administrator chose: 12, 14 or 16 px, scaled with the phone's text size. */
export function serviceTextStyle(service: Pick<Service, 'textSize' | 'textColor'>): CSSProperties {
  return {
    fontSize: sizes[service.textSize],
    color: isPlain(service) ? undefined : readableOnWhite(service.textColor),
  };
}

/** Bold, italic, both or neither. */
export function serviceStrokeStyle({ textStyle }: Pick<Service, 'textStyle'>): CSSProperties {
  return {
    fontWeight: textStyle.includes('bold') ? 700 : 400,
    fontStyle: textStyle.includes('italic') ? 'italic' : 'normal',
  };
}

/** The catalogue's price text, such as 'À partir de 1 000 FCFA', its digits grouped, without line breaks inside the amount. */
export function formatPrice(words: string): string {
  const grouped = words.replace(/(?<![\d.,])\d{4,}(?= ?F)/g, (digits) =>
    digits.replace(/\B(?=(?:\d{3})+$)/g, '\u00a0'),
  );
  return grouped.replace(/(?<=\d|F) (?=\d{3}(?!\d)|F\b|F?CFA)/g, '\u00a0');
}

const boxes = {
  big: 'size-11 text-title',
  small: 'size-[min(2.5rem,11.2vw)] text-[min(var(--text-title),5.6vw)]',
  tiny: 'size-9 text-title',
  head: 'size-[min(2rem,9vw)] text-[min(1.125rem,5vw)]',
};

/** A service's picture, else the mark of its operator or of the nearest one above it, else the emoji of its name. */
export function ServicePicture({
  service,
  above = [],
  size,
}: {
  service: Pick<Service, 'name' | 'pictureUrl'>;
  /** The names above it, where services of several operators stand together. */
  above?: string[] | undefined;
  size: keyof typeof boxes;
}) {
  const box = boxes[size];
  const operator = [service.name, ...[...above].reverse()].find(operatorMark);
  if (service.pictureUrl)
    return (
      <Picture src={service.pictureUrl} side="3.25rem" lazy className={`${box} shrink-0 rounded-xl object-cover`} />
    );
  if (operator) return <OperatorMark name={operator} size={size === 'tiny' ? 'small' : 'medium'} />;
  return (
    <span
      className={`${box} flex shrink-0 items-center justify-center rounded-xl bg-(--family-pale,var(--color-leaf-pale))`}
      aria-hidden="true"
    >
      {emojiFor(service.name)}
    </span>
  );
}

/** The first keyword found in a service's name selects its picture. */
const pictures: [keywords: RegExp, emoji: string][] = [
  [/burkina/i, '🇧🇫'],
  [/ivoire/i, '🇨🇮'],
  [/mali\b/i, '🇲🇱'],
  [/niger\b/i, '🇳🇪'],
  [/b[ée]nin/i, '🇧🇯'],
  [/togo/i, '🇹🇬'],
  [/s[ée]n[ée]gal/i, '🇸🇳'],
  [/transfert|envoi|envoyer/i, '💸'],
  [/retrait|d[ée]p[ôo]t/i, '🏧'],
  [/internet|\bdata|wifi/i, '🌐'],
  [/cr[ée]dit|recharge|appel/i, '📲'],
  [/t[ée]l[ée]com|mobile|t[ée]l[ée]phone|orange|moov|mtn|telecel|airtel|yas|zamani/i, '📱'],
  [/money|momo|wave|portefeuille/i, '👛'],
  [/[ée]lectricit[ée]|sonabel|\bcie\b|edm|nigelec|sbee|ceet|senelec/i, '💡'],
  [/\beau\b|onea|sodeci|soneb/i, '🚰'],
  [/t[ée]l[ée]vision|bouquet|canal|tv\b/i, '📺'],
  [/scolarit[ée]|[ée]cole|scolaire|inscription|universit/i, '🎓'],
  [/facture|paiement/i, '🧾'],
  [/[ée]pargne|tontine|versement/i, '🐖'],
  [/banque|bancaire|compte/i, '🏦'],
  [/assurance|sant[ée]/i, '🩺'],
  [/transport|voyage|billet/i, '🚌'],
];

export function emojiFor(name: string): string {
  return pictures.find(([keywords]) => keywords.test(name))?.[1] ?? '🛎️';
}

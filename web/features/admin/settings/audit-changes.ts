import { type AuditObject, auditFields } from '#contract/audit-words.ts';
import type { MatchRule } from '#contract/payments.ts';
import { findCountry } from '#contract/phone.ts';
import { formatAmount, formatCalendarDay } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';

const rules: Record<MatchRule, string> = {
  R0: 'numéro de la demande écrit par le payeur',
  R1: 'référence déclarée',
  R2: 'numéro du payeur et montant',
  R2b: 'numéro du payeur et montants',
  R3: 'référence, autre montant',
  R4: 'montant et heure',
  person: 'choisi à la main',
};

const fieldWords: Record<string, Record<string, string>> = {
  kind: { sms: 'Téléphone', wave: 'Serveur de Wave' },
  commissionType: { fixed: 'Fixe', percentage: 'Pourcentage', range: 'Par tranches' },
  textSize: { small: 'Petite', medium: 'Moyenne', large: 'Grande' },
  state: { unverified: 'À vérifier', verified: 'Vérifié', reported: 'Signalé', broken: 'En panne' },
  rule: rules,
};

/** The name of a row; undefined where it is not known. */
export type NameOfRow = (object: AuditObject, id: string) => string | undefined;

/** Fields that name another row by its number. */
const numbered: Record<string, AuditObject> = {
  accountId: 'payment-account',
  parentId: 'service',
  paymentTypeId: 'payment-type',
  ticketId: 'ticket',
  ticket: 'ticket',
};
/** Numbers and names of ours, which no screen explains. */
const untold = ['line', 'shape', 'model'];

const names: Readonly<Record<string, string>> = auditFields;
const labelOf = (field: string): string => (Object.hasOwn(names, field) ? `${names[field]}` : field);

function frenchOf(field: string, value: unknown, nameOfRow: NameOfRow): string {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'boolean') return value ? 'Oui' : 'Non';
  if (field === 'changed') return String(value).split(', ').map(labelOf).join(', ');
  const object = Object.hasOwn(numbered, field) ? numbered[field] : undefined;
  if (object) return nameOfRow(object, String(value)) ?? `n°\u00a0${value}`;
  if (field === 'country') return findCountry(String(value))?.name ?? String(value);
  if (field === 'status') return ticketStatusLabel(String(value)).label;
  if (field === 'day') return formatCalendarDay(String(value)).long;
  if (field === 'gross') return formatAmount(Number(value));
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const words = Object.hasOwn(fieldWords, field) ? fieldWords[field] : undefined;
  return words && Object.hasOwn(words, text) ? `${words[text]}` : text;
}

/** An entry's fields in French, a text each: with the value before, if it is known, and the one that was sent. */
export function changesOf(
  { before, ...after }: Record<string, unknown>,
  nameOfRow: NameOfRow = () => undefined,
): string[] {
  const earlier = typeof before === 'object' && before !== null ? (before as Record<string, unknown>) : {};
  const fields = [...new Set([...Object.keys(earlier), ...Object.keys(after)])];
  return fields.flatMap((field) => {
    if (untold.includes(field)) return [];
    const values = [earlier, after]
      .filter((each) => Object.hasOwn(each, field))
      .map((each) => frenchOf(field, each[field], nameOfRow));
    return `${labelOf(field)}${Object.hasOwn(after, field) ? '' : ' (avant)'}\u00a0: ${values.join(' → ')}`;
  });
}

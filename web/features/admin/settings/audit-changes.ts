import { auditFields } from '#contract/audit-words.ts';
import { findCountry } from '#contract/phone.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';

const fieldWords: Record<string, Record<string, string>> = {
  kind: { sms: 'Téléphone', wave: 'Serveur de Wave' },
  commissionType: { fixed: 'Fixe', percentage: 'Pourcentage', range: 'Par tranches' },
  textSize: { small: 'Petite', medium: 'Moyenne', large: 'Grande' },
};

/** Fields that name another row by its number. */
const numbered = ['accountId', 'parentId', 'paymentTypeId', 'ticketId', 'line', 'ticket'];

const names: Readonly<Record<string, string>> = auditFields;
const nameOf = (field: string): string => (Object.hasOwn(names, field) ? `${names[field]}` : field);

function frenchOf(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'boolean') return value ? 'Oui' : 'Non';
  if (field === 'changed') return String(value).split(', ').map(nameOf).join(', ');
  if (numbered.includes(field)) return `n°\u00a0${value}`;
  if (field === 'country') return findCountry(String(value))?.name ?? String(value);
  if (field === 'status') return ticketStatusLabel(String(value)).label;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const words = Object.hasOwn(fieldWords, field) ? fieldWords[field] : undefined;
  return words && Object.hasOwn(words, text) ? `${words[text]}` : text;
}

/** An entry's fields in French, a line each: with the value before, if it is known, and the one that was sent. */
export function changesOf({ before, ...after }: Record<string, unknown>): string[] {
  const earlier = typeof before === 'object' && before !== null ? (before as Record<string, unknown>) : {};
  const fields = [...new Set([...Object.keys(earlier), ...Object.keys(after)])];
  return fields.map((field) => {
    const values = [earlier, after]
      .filter((each) => Object.hasOwn(each, field))
      .map((each) => frenchOf(field, each[field]));
    return `${nameOf(field)}${Object.hasOwn(after, field) ? '' : ' (avant)'}\u00a0: ${values.join(' → ')}`;
  });
}

import type { AuditEntry } from '#contract/audit.ts';
import { adminTicketAddress, adminUserAddress } from '#web/admin-addresses.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';

const fieldNames: Record<string, string> = {
  allowUserPriceInput: 'Prix personnalisé',
  backgroundImage: 'Image de fond',
  blur: 'Flou (px)',
  commissionType: 'Type de commission',
  commissionValue: 'Commission',
  content: 'Contenu',
  count: 'Nombre',
  countries: 'Pays',
  created: 'Créés',
  description: 'Description',
  dryRun: 'Essai sans écriture',
  icon: 'Icône',
  isActive: 'Actif',
  isAdmin: 'Administrateur',
  isFinalLevel: 'Service final',
  isGuest: 'Invité',
  isVerified: 'Vérifié',
  isVisible: 'Visible',
  level: 'Niveau',
  name: 'Nom',
  number: 'Numéro',
  onDecision: 'SMS aux demandes traitées',
  opacity: 'Opacité (%)',
  operator: 'Opérateur',
  parentId: 'Service parent',
  perCountryAndDay: 'SMS par jour et par pays',
  perDay: 'SMS par jour',
  phoneNumber: 'Code ou numéro à composer',
  pictureUrl: 'Image',
  price: 'Prix',
  reason: 'Motif',
  rows: 'Lignes',
  slug: 'Adresse (slug)',
  sortOrder: 'Ordre',
  status: 'Statut',
  textColor: 'Couleur du texte',
  textSize: 'Taille du texte',
  textStyle: 'Style du texte',
  title: 'Titre',
  updated: 'Modifiés',
};

const fieldWords: Record<string, Record<string, string>> = {
  commissionType: { fixed: 'Fixe', percentage: 'Pourcentage', range: 'Par tranches' },
  textSize: { small: 'Petite', medium: 'Moyenne', large: 'Grande' },
};

/** A field's French name, else its own. */
export const fieldName = (field: string): string => (Object.hasOwn(fieldNames, field) ? `${fieldNames[field]}` : field);

/** A field's value in French; empty if it says nothing. */
export function fieldValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'boolean') return value ? 'Oui' : 'Non';
  if (field === 'status') return ticketStatusLabel(String(value)).label;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const words = Object.hasOwn(fieldWords, field) ? fieldWords[field] : undefined;
  return words && Object.hasOwn(words, text) ? `${words[text]}` : text;
}

/** The kind of object that an id in a call's path identifies. */
const kinds: readonly (readonly [path: RegExp, kind: string, addressOf?: (id: number) => string])[] = [
  [/(?:tickets|notifications)\/user\/|users\//, 'Utilisateur', adminUserAddress],
  [/tickets\//, 'Ticket', adminTicketAddress],
  [/services/, 'Service'],
  [/payment-types/, 'Type de paiement'],
  [/content-pages/, 'Page'],
  [/notifications\//, 'Notification'],
];

/** The object of an action, and its address if it has a screen. */
export function targetOf({ action, target }: Pick<AuditEntry, 'action' | 'target'>): {
  text: string;
  address?: string | undefined;
} {
  if (target === null) return { text: '—' };
  const [, kind, addressOf] = kinds.find(([path]) => path.test(action)) ?? [];
  if (!kind || !/^\d+$/.test(target)) return { text: target };
  return { text: `${kind} n° ${target}`, address: addressOf?.(Number(target)) };
}

/** An entry's fields side by side: before, if known, and as sent. */
export function changesOf({ details }: Pick<AuditEntry, 'details'>) {
  const { before, ...after } = details;
  const earlier = typeof before === 'object' && before !== null ? (before as Record<string, unknown>) : {};
  const fields = [...new Set([...Object.keys(earlier), ...Object.keys(after)])];
  return {
    hasBefore: Object.keys(earlier).length > 0,
    hasAfter: Object.keys(after).length > 0,
    rows: fields.map((field) => ({
      name: fieldName(field),
      before: field in earlier ? fieldValue(field, earlier[field]) : '',
      after: field in after ? fieldValue(field, after[field]) : '',
    })),
  };
}

import { findCountry } from '#contract/phone.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';

const fieldNames: Record<string, string> = {
  accountId: 'Compte',
  allowUserPriceInput: 'Prix personnalisé',
  backgroundImage: 'Image de fond',
  blur: 'Flou (px)',
  changed: 'Champs modifiés',
  commissionType: 'Type de commission',
  commissionValue: 'Commission',
  content: 'Contenu',
  count: 'Nombre',
  countries: 'Pays',
  country: 'Pays',
  created: 'Créés',
  day: 'Jour',
  description: 'Description',
  dryRun: 'Essai sans écriture',
  email: 'E-mail',
  firstName: 'Prénom',
  gross: 'Montant payé (FCFA)',
  icon: 'Icône',
  ignored: 'Ignoré',
  isActive: 'Actif',
  isAdmin: 'Administrateur',
  isFinalLevel: 'Service final',
  isGuest: 'Invité',
  isVerified: 'Vérifié',
  isVisible: 'Visible',
  kind: 'Type',
  known: 'Déjà connus',
  label: 'Nom du compte',
  lastName: 'Nom',
  level: 'Niveau',
  line: 'Paiement reçu',
  name: 'Nom',
  number: 'Numéro',
  numbers: 'Numéros marchands',
  onDecision: 'SMS aux demandes traitées',
  opacity: 'Opacité (%)',
  operator: 'Opérateur',
  parentId: 'Service parent',
  paymentTypeId: 'Type de paiement',
  payments: 'Paiements',
  perCountryAndDay: 'SMS par jour et par pays',
  perDay: 'SMS par jour',
  phone: 'Téléphone',
  phoneNumber: 'Code ou numéro à composer',
  pictureUrl: 'Image',
  price: 'Prix',
  reason: 'Motif',
  rows: 'Lignes',
  rule: 'Règle',
  slug: 'Adresse (slug)',
  sortOrder: 'Ordre',
  status: 'Statut',
  textColor: 'Couleur du texte',
  textSize: 'Taille du texte',
  textStyle: 'Style du texte',
  ticket: 'Ticket',
  ticketId: 'Ticket',
  title: 'Titre',
  unread: 'Non lus',
  updated: 'Modifiés',
  whatsapp: 'WhatsApp',
};

const fieldWords: Record<string, Record<string, string>> = {
  kind: { sms: 'Téléphone', wave: 'Serveur de Wave' },
  commissionType: { fixed: 'Fixe', percentage: 'Pourcentage', range: 'Par tranches' },
  textSize: { small: 'Petite', medium: 'Moyenne', large: 'Grande' },
};

/** Fields that name another row by its number. */
const numbered = ['accountId', 'parentId', 'paymentTypeId', 'ticketId', 'line', 'ticket'];

const nameOf = (field: string): string => (Object.hasOwn(fieldNames, field) ? `${fieldNames[field]}` : field);

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

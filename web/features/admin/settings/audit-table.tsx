import { type ReactNode, useState } from 'react';
import type { AuditEntry } from '#contract/audit.ts';
import { type FailureCode, failureCatalogue } from '#contract/failure.ts';
import { adminAuditOfAddress, adminTicketAddress, adminUserAddress } from '#web/admin-addresses.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { Link } from '#web/router.tsx';
import { formatCount } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/tickets.ts';
import { Badge } from '#web/ui/badge.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';

const link = 'text-leaf underline underline-offset-4';

const low = 'h-11!';

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const [opened, setOpened] = useState<readonly number[]>([]);
  const isOpen = ({ id }: AuditEntry) => opened.includes(id);
  const details = (entry: AuditEntry) => (
    <button
      type="button"
      aria-expanded={isOpen(entry)}
      aria-label={`Détails : ${entry.title}`}
      onClick={() => setOpened(isOpen(entry) ? opened.filter((id) => id !== entry.id) : [...opened, entry.id])}
      className="min-h-8 rounded-lg text-soft underline max-lg:-my-3 max-lg:min-h-11 underline-offset-4 hover:text-ink"
    >
      Détails
    </button>
  );
  const columns: Column<AuditEntry>[] = [
    {
      head: 'Date',
      className: `${low} w-24 whitespace-nowrap`,
      cell: ({ createdAt }) => <Moment instant={createdAt} />,
    },
    { head: 'Qui', className: `${low} w-44`, cell: (entry) => <Actor entry={entry} /> },
    { head: 'Action', className: low, cell: (entry) => <Action entry={entry} /> },
    { head: 'Cible', className: `${low} w-52`, cell: (entry) => <Target entry={entry} /> },
    { head: 'Résultat', className: `${low} w-28`, cell: (entry) => <Outcome entry={entry} /> },
    { head: 'Adresse', className: `${low} w-28`, cell: ({ ip }) => <Address ip={ip} /> },
    { head: 'Détails', headHidden: true, end: true, className: `${low} w-20`, cell: details },
  ];
  return (
    <DataTable
      label="Journal d'audit"
      rows={entries}
      columns={columns}
      note={(entry) => isOpen(entry) && <AuditDetails entry={entry} />}
      card={(entry) => (
        <div className="flex flex-col gap-1">
          <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
            <Action entry={entry} />
            <Outcome entry={entry} />
          </div>
          <p className="text-soft text-sm">
            <Moment instant={entry.createdAt} /> · <Actor entry={entry} />
          </p>
          <div className="flex flex-wrap items-center justify-between gap-x-3 text-sm">
            <p className="text-soft">
              {entry.target !== null && (
                <span>
                  <Target entry={entry} /> ·{' '}
                </span>
              )}
              <Address ip={entry.ip} />
            </p>
            {details(entry)}
          </div>
          {isOpen(entry) && <AuditDetails entry={entry} />}
        </div>
      )}
    />
  );
}

const isDecision = /ticket-decisions|tickets\/:id\/status/;

function Actor({ entry: { actor } }: { entry: AuditEntry }): ReactNode {
  if (!actor) return <span>Visiteur</span>;
  if (!actor.name) return <span>{`Utilisateur supprimé n°\u00a0${actor.id}`}</span>;
  return (
    <Link href={adminUserAddress(actor.id)} className={`wrap-anywhere ${link}`}>
      {actor.name}
    </Link>
  );
}

function Action({ entry: { action, title, count, details } }: { entry: AuditEntry }) {
  const decided = isDecision.test(action) && typeof details.status === 'string' && ticketStatusLabel(details.status);
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <strong className="font-semibold">{`${title}${decided ? `\u00a0: ${decided.label.toLowerCase()}` : ''}`}</strong>
      {count > 1 && <Badge small>{`× ${formatCount(count)}`}</Badge>}
    </span>
  );
}

function Target({ entry }: { entry: AuditEntry }): ReactNode {
  const { text, address } = targetOf(entry);
  if (!address) return <span className="wrap-anywhere">{text}</span>;
  return (
    <Link href={address} className={link}>
      {text}
    </Link>
  );
}

function Outcome({ entry: { status, code } }: { entry: AuditEntry }) {
  if (status < 400)
    return (
      <Badge small tone="green">
        Fait
      </Badge>
    );
  const known = code !== null && Object.hasOwn(failureCatalogue, code);
  return (
    <span className="flex flex-col items-start gap-0.5">
      <Badge small tone="red">
        Refusé
      </Badge>
      <span className="text-soft text-xs">
        {known ? failureCatalogue[code as FailureCode][1] : `Réponse ${status}`}
      </span>
    </span>
  );
}

/** A network address; '*' stands for several combined ones. */
function Address({ ip }: { ip: string }) {
  return <span className="wrap-anywhere tabular-nums">{ip === '*' ? 'Plusieurs adresses' : ip}</span>;
}

const head = 'wrap-anywhere px-2.5 py-1.5 text-left font-medium';
const cell = 'wrap-anywhere border-line border-t px-2.5 py-1.5 text-left align-top';

/** The details of an entry: fields before and after, the call, and links. */
function AuditDetails({ entry }: { entry: AuditEntry }) {
  const { hasBefore, hasAfter, rows } = changesOf(entry);
  return (
    <div className="flex flex-col gap-2 pt-1 text-sm">
      {rows.length > 0 && (
        <table className="w-full table-fixed border-separate border-spacing-0 rounded-xl border border-line bg-ground">
          <thead>
            <tr className="text-soft">
              <th className={head}>Champ</th>
              {hasBefore && <th className={head}>Avant</th>}
              {hasAfter && <th className={head}>{hasBefore ? 'Après' : 'Valeur'}</th>}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ name, before, after }) => (
              <tr key={name}>
                <th scope="row" className={`${cell} font-normal text-soft`}>
                  {name}
                </th>
                {hasBefore && <td className={cell}>{before}</td>}
                {hasAfter && <td className={cell}>{after}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p className="wrap-anywhere font-mono text-soft text-xs">{entry.action}</p>
      {entry.actor && (
        <Link
          href={adminAuditOfAddress(entry.actor.id)}
          className="inline-flex min-h-6 items-center self-start text-leaf underline underline-offset-4"
        >
          Toutes ses actions
        </Link>
      )}
    </div>
  );
}

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
  created: 'Créés',
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
  kind: 'Sorte',
  known: 'Déjà connus',
  label: 'Nom du compte',
  lastName: 'Nom',
  level: 'Niveau',
  line: 'Paiement reçu',
  name: 'Nom',
  number: 'Numéro',
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
  commissionType: { fixed: 'Fixe', percentage: 'Pourcentage', range: 'Par tranches' },
  textSize: { small: 'Petite', medium: 'Moyenne', large: 'Grande' },
};

/** A field's French name, else its own. */
export const fieldName = (field: string): string => (Object.hasOwn(fieldNames, field) ? `${fieldNames[field]}` : field);

/** A field's value in French; empty if it says nothing. */
export function fieldValue(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return '—';
  if (typeof value === 'boolean') return value ? 'Oui' : 'Non';
  if (field === 'changed') return String(value).split(', ').map(fieldName).join(', ');
  if (field === 'status') return ticketStatusLabel(String(value)).label;
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const words = Object.hasOwn(fieldWords, field) ? fieldWords[field] : undefined;
  return words && Object.hasOwn(words, text) ? `${words[text]}` : text;
}

/** The kind of object that an id in a call's path identifies. */
const kinds: readonly (readonly [path: RegExp, kind: string, addressOf?: (id: number) => string])[] = [
  [/(?:tickets|notifications)\/user\/|users\//, 'Utilisateur', adminUserAddress],
  [/payments\/lines\//, 'Paiement reçu'],
  [/payments\/accounts/, 'Compte de paiement'],
  [/payments\/sources/, 'Source de paiements'],
  [/payments\/messages\//, 'Message'],
  [/tickets\/|ticket-decisions|payments\/(?:approvals|reminders)/, 'Ticket', adminTicketAddress],
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
  return { text: `${kind} n°\u00a0${target}`, address: addressOf?.(Number(target)) };
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

import type { ReactNode } from 'react';
import type { AuditEntry } from '#contract/audit.ts';
import { type FailureCode, failureCatalogue } from '#contract/failure.ts';
import { adminAuditOfAddress, adminTicketAddress, adminUserAddress } from '#web/admin-addresses.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { Link } from '#web/router.tsx';
import { formatCount } from '#web/text/formats.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Badge } from '#web/ui/badge.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';

const link = 'text-leaf underline underline-offset-4';

const columns: Column<AuditEntry>[] = [
  { head: 'Date', className: 'w-24 align-top!', cell: ({ createdAt }) => <Moment instant={createdAt} /> },
  { head: 'Qui', className: 'w-44 align-top!', cell: (entry) => <Actor entry={entry} /> },
  {
    head: 'Action',
    className: 'align-top!',
    cell: (entry) => (
      <>
        <Action entry={entry} />
        <AuditDetails entry={entry} />
      </>
    ),
  },
  { head: 'Cible', className: 'w-36 align-top!', cell: (entry) => <Target entry={entry} /> },
  { head: 'Résultat', className: 'w-52 align-top!', cell: (entry) => <Outcome entry={entry} /> },
  { head: 'Adresse', className: 'w-28 align-top!', cell: ({ ip }) => <Address ip={ip} /> },
];

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  return (
    <DataTable
      label="Journal d’audit"
      rows={entries}
      columns={columns}
      card={(entry) => (
        <div className="flex flex-col gap-1">
          <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
            <Action entry={entry} />
            <Outcome entry={entry} />
          </div>
          <p className="text-soft text-sm">
            <Moment instant={entry.createdAt} /> · <Actor entry={entry} />
          </p>
          <p className="text-soft text-sm">
            {entry.target !== null && (
              <>
                <Target entry={entry} /> ·{' '}
              </>
            )}
            <Address ip={entry.ip} />
          </p>
          <div className="text-sm">
            <AuditDetails entry={entry} />
          </div>
        </div>
      )}
    />
  );
}

function Actor({ entry: { actor } }: { entry: AuditEntry }): ReactNode {
  if (!actor) return 'Visiteur';
  if (!actor.name) return `Utilisateur supprimé n° ${actor.id}`;
  return (
    <Link href={adminUserAddress(actor.id)} className={`wrap-anywhere ${link}`}>
      {actor.name}
    </Link>
  );
}

function Action({ entry: { title, count } }: { entry: AuditEntry }) {
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2">
      <strong className="font-semibold">{title}</strong>
      {count > 1 && <Badge>× {formatCount(count)}</Badge>}
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
  if (status < 400) return <Badge tone="green">Fait</Badge>;
  const known = code !== null && Object.hasOwn(failureCatalogue, code);
  return (
    <span className="flex flex-col items-start gap-0.5">
      <Badge tone="red">Refusé</Badge>
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

/** The folded details of an entry: fields before and after, the call, and links. */
function AuditDetails({ entry }: { entry: AuditEntry }) {
  const { hasBefore, hasAfter, rows } = changesOf(entry);
  return (
    <details>
      <summary className="inline-flex min-h-8 cursor-pointer items-center text-soft underline underline-offset-4 hover:text-ink">
        Détails
      </summary>
      <div className="flex flex-col gap-2 pt-1 pb-2">
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
    </details>
  );
}

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

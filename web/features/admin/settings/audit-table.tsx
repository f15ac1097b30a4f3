import type { ReactNode } from 'react';
import type { AuditEntry } from '#contract/audit.ts';
import { type FailureCode, failureCatalogue } from '#contract/failure.ts';
import { adminUserAddress } from '#web/admin-addresses.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { Link } from '#web/router.tsx';
import { formatCount } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { AuditDetails } from './audit-details.tsx';
import { targetOf } from './audit-words.ts';

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

/** The log, one row per action. */
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

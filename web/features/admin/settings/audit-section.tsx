import type { ReactNode } from 'react';
import { readUser } from '#contract/accounts.ts';
import { type AuditEntry, listAuditEntries } from '#contract/audit.ts';
import { type AuditObject, auditObjects } from '#contract/audit-words.ts';
import { adminAuditAddress, adminTicketAddress, adminUserAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import { Listing, type Part } from '#web/features/admin/shared/listing.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { readNumber, useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { Link } from '#web/router.tsx';
import { formatCount, formatCounted } from '#web/text/formats.ts';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageIcon } from '#web/ui/icons.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { changesOf } from './audit-changes.ts';

/** The audit log. A person's name filters it by them, an object by it; the filter is in the address. */
export function AuditSection() {
  const { values, set } = useTabSearch();
  const [actor, target] = ['acteur', 'cible'].map((name) => readNumber(values, name));
  const object = (Object.keys(auditObjects) as AuditObject[]).find((each) => each === values.get('objet'));
  const query = {
    ...(actor && { actorId: String(actor) }),
    ...(object && target && { object, target: String(target) }),
  };
  const list = useList(listAuditEntries, { query }, { pollEveryMs: pollEveryMs.adminAudit });
  return (
    <section aria-labelledby="audit-title">
      {/* A phone has the section's link above it. */}
      <h2 id="audit-title" className="sr-only">
        Journal d'audit
      </h2>
      <div className="flex flex-wrap gap-2 *:mb-3">
        {actor && (
          <Filter clear="Montrer les actions de tous" onClear={() => set({ acteur: undefined })}>
            Actions de <Person userId={actor} />
          </Filter>
        )}
        {object && target && (
          <Filter clear="Montrer tous les objets" onClear={() => set({ objet: undefined, cible: undefined })}>
            <ObjectLink object={object} target={target} />
          </Filter>
        )}
      </div>
      <QueryState
        query={list}
        loading="Chargement du journal..."
        failure="Impossible de charger le journal."
        empty={<EmptyState Icon={PageIcon} title="Aucune action trouvée" />}
      >
        {({ rows, hasMore, total, capped }) => (
          <>
            <AuditTable entries={rows} />
            <p className="mt-3 text-soft">
              {`Affichage de ${formatCounted(rows.length, 'ligne')} sur ${capped ? 'plus de ' : ''}${formatCount(Math.max(total, rows.length))} au total`}
            </p>
            <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
          </>
        )}
      </QueryState>
    </section>
  );
}

/** What the list is filtered by, and the button that ends it. */
function Filter({ clear, onClear, children }: { clear: string; onClear: () => void; children: ReactNode }) {
  return (
    <p className="flex max-w-full items-center gap-1 rounded-full border border-leaf/40 bg-leaf-pale pl-4">
      <span className="truncate">{children}</span>
      <button
        type="button"
        aria-label={clear}
        onClick={onClear}
        className="flex size-11 shrink-0 items-center justify-center rounded-full hover:bg-card"
      >
        <CrossIcon className="size-4" />
      </button>
    </p>
  );
}

const link = 'wrap-anywhere text-leaf underline underline-offset-4';

function Person({ userId }: { userId: number }) {
  const { data } = useEndpoint(readUser, { params: { id: String(userId) } });
  return (
    <Link href={adminUserAddress(userId)} className={link}>
      {data ? `${data.firstName} ${data.lastName}` : `l'utilisateur n°\u00a0${userId}`}
    </Link>
  );
}

/** An object by its number, as a link to its screen if it has one. */
function ObjectLink({ object, target }: { object: AuditObject; target: number }) {
  const text = `${auditObjects[object]} n°\u00a0${target}`;
  const address = { user: adminUserAddress, ticket: adminTicketAddress }[object as string];
  if (!address) return text;
  return (
    <Link href={address(target)} className={link}>
      {text}
    </Link>
  );
}

function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const small = 'text-soft text-small';
  const columns: Part<AuditEntry>[] = [
    {
      head: 'Date',
      className: 'w-24 whitespace-nowrap',
      inCard: small,
      draw: ({ createdAt }) => <Moment instant={createdAt} />,
    },
    { head: 'Qui', className: 'w-44', inCard: small, draw: (entry) => <Actor entry={entry} /> },
    { head: 'Action', inCard: 'order-first w-full', draw: (entry) => <Action entry={entry} /> },
    { head: 'Cible', className: 'w-52', inCard: small, draw: (entry) => <Target entry={entry} /> },
    {
      head: 'Adresse',
      className: 'w-32',
      inCard: small,
      draw: ({ ip }) => <span className="wrap-anywhere tabular-nums">{ip}</span>,
    },
  ];
  return <Listing title="Journal d'audit" rows={entries} parts={columns} />;
}

function Actor({ entry: { actor } }: { entry: AuditEntry }) {
  if (!actor) return 'Serveur';
  return (
    <Link href={adminAuditAddress({ acteur: actor.id })} className={link}>
      {actor.name || `Utilisateur supprimé n°\u00a0${actor.id}`}
    </Link>
  );
}

/** What was done, and which fields it changed. */
function Action({ entry: { title, details } }: { entry: AuditEntry }) {
  return (
    <span className="wrap-anywhere flex flex-col">
      <strong className="font-semibold">{title}</strong>
      {changesOf(details).map((change) => (
        <span key={change} className="text-soft text-small">
          {change}
        </span>
      ))}
    </span>
  );
}

function Target({ entry: { object, target } }: { entry: AuditEntry }) {
  if (target === null) return <span className="in-[li]:hidden">—</span>;
  if (!object) return <span className="wrap-anywhere">{target}</span>;
  return (
    <Link href={adminAuditAddress({ objet: object, cible: target })} className={link}>
      {`${auditObjects[object]} n°\u00a0${target}`}
    </Link>
  );
}

import { type ReactNode, useMemo } from 'react';
import { listUsers, readUser } from '#contract/accounts.ts';
import { type AuditEntry, listAuditEntries } from '#contract/audit.ts';
import { type AuditObject, auditObjects } from '#contract/audit-words.ts';
import { listAllServices } from '#contract/catalogue.ts';
import { listContentPages } from '#contract/content-pages.ts';
import { listPaymentAccounts } from '#contract/payment-feed.ts';
import { listPaymentTypes } from '#contract/payment-types.ts';
import { adminAuditAddress, adminTicketAddress, adminUserAddress } from '#web/admin-addresses.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import { FilterField } from '#web/features/admin/shared/fields.tsx';
import { Listing, type Part } from '#web/features/admin/shared/listing.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { readNumber, useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { Link } from '#web/router.tsx';
import { formatCount, formatCounted } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageIcon } from '#web/ui/icons.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { changesOf, type NameOfRow } from './audit-changes.ts';

/** The audit log. A person's name filters it by them, an object by it; the filter is in the address. */
export function AuditSection() {
  const { values, set } = useTabSearch();
  const [actor, target] = ['acteur', 'cible'].map((name) => readNumber(values, name));
  const object = (Object.keys(auditObjects) as AuditObject[]).find((each) => each === values.get('objet'));
  const query = {
    ...(actor && { actorId: String(actor) }),
    ...(object && { object, ...(target && { target: String(target) }) }),
  };
  const list = useList(listAuditEntries, { query }, { pollEveryMs: pollEveryMs.adminAudit });
  const nameOfRow = useRowNames();
  const clear = () => set({ acteur: undefined, objet: undefined, cible: undefined });
  return (
    <section aria-labelledby="audit-title">
      {/* A phone has the section's link above it. */}
      <h2 id="audit-title" className="sr-only">
        Journal d'audit
      </h2>
      <div className="mb-3 grid items-center gap-2 sm:grid-cols-[14rem_14rem_auto] sm:justify-start">
        <ActorFilter actor={actor} onChoose={(acteur) => set({ acteur })} />
        <FilterField
          label="Sur quoi"
          value={object ?? ''}
          options={objectWords}
          onChoose={(objet) => set({ objet, cible: undefined })}
        />
        {object && target && (
          <TargetFilter onClear={() => set({ cible: undefined })}>
            <ObjectLink object={object} target={target} name={nameOfRow(object, String(target))} />
          </TargetFilter>
        )}
      </div>
      <QueryState
        query={list}
        loading="Chargement du journal..."
        failure="Impossible de charger le journal."
        empty={
          <EmptyState Icon={PageIcon} title="Aucune action trouvée">
            {(actor || object) && <Button onClick={clear}>Effacer les filtres</Button>}
          </EmptyState>
        }
      >
        {({ rows, hasMore, total, capped }) => (
          <>
            <AuditTable entries={rows} nameOfRow={nameOfRow} />
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

const objectWords = { '': 'Tous les objets', ...auditObjects };

/** The names of the rows that the log is about; those of deleted ones are lost. */
function useRowNames(): NameOfRow {
  const services = useEndpoint(listAllServices, {}).data;
  const types = useEndpoint(listPaymentTypes, {}).data;
  const pages = useEndpoint(listContentPages, {}).data;
  const accounts = useEndpoint(listPaymentAccounts, {}).data;
  return useMemo(() => {
    const named = (object: AuditObject, rows: readonly { id: number }[] = [], name: string) =>
      rows.map((row) => [`${object} ${row.id}`, String(Reflect.get(row, name))] as const);
    const names = new Map<string, string>([
      ...named('service', services, 'name'),
      ...named('payment-type', types, 'name'),
      ...named('content-page', pages, 'title'),
      ...named('payment-account', accounts, 'label'),
    ]);
    return (object, id) => names.get(`${object} ${id}`);
  }, [services, types, pages, accounts]);
}

/** A choice among the administrators, and who else is chosen. */
function ActorFilter({ actor, onChoose }: { actor: number | undefined; onChoose: (actor: string) => void }) {
  const admins = useEndpoint(listUsers, { query: { kind: 'admin' } }).data ?? [];
  const isOther = actor !== undefined && !admins.some(({ id }) => id === actor);
  const other = useEndpoint(readUser, { params: { id: String(actor) } }, { enabled: isOther }).data;
  const people = other && isOther ? [...admins, other] : admins;
  return (
    <FilterField
      label="Qui"
      // Numbers alone would stand before the empty name of all.
      value={actor ? `n${actor}` : ''}
      options={{
        '': 'Toutes les personnes',
        ...(isOther && { [`n${actor}`]: `Utilisateur n°\u00a0${actor}` }),
        ...Object.fromEntries(
          people.map(({ id, firstName, lastName }) => [`n${id}`, `${firstName} ${lastName}`.trim()]),
        ),
      }}
      onChoose={(name) => onChoose(name.slice(1))}
    />
  );
}

/** The one row that the list is about, and the button that ends it. */
function TargetFilter({ onClear, children }: { onClear: () => void; children: ReactNode }) {
  return (
    <p className="flex min-h-12 max-w-full items-center gap-1 rounded-xl border border-leaf bg-leaf-pale pl-3.5 font-semibold">
      <span className="truncate">{children}</span>
      <button
        type="button"
        aria-label="Montrer tous les objets"
        onClick={onClear}
        className="flex size-11 shrink-0 items-center justify-center rounded-xl hover:bg-card/60"
      >
        <CrossIcon className="size-4" />
      </button>
    </p>
  );
}

const link = 'wrap-anywhere inline-flex min-h-6 items-center text-leaf underline underline-offset-4 in-[li]:min-h-11';

/** 'Service « Gaz »', or by its number where that is all that is known. */
function nameObject(object: AuditObject, target: string | number, name: string | undefined): string {
  return `${auditObjects[object]} ${name ? `«\u00a0${name}\u00a0»` : `n°\u00a0${target}`}`;
}

/** An object as a link to its screen if it has one. */
function ObjectLink({ object, target, name }: { object: AuditObject; target: number; name: string | undefined }) {
  const text = nameObject(object, target, name);
  const address = { user: adminUserAddress, ticket: adminTicketAddress }[object as string];
  if (!address) return text;
  return (
    <Link href={address(target)} className="underline underline-offset-4">
      {text}
    </Link>
  );
}

interface Told {
  entry: AuditEntry;
  nameOfRow: NameOfRow;
}

function AuditTable({ entries, nameOfRow }: { entries: readonly AuditEntry[]; nameOfRow: NameOfRow }) {
  const small = 'text-soft text-small';
  const columns: Part<AuditEntry>[] = [
    {
      head: 'Date',
      percent: 12,
      inCard: small,
      draw: ({ createdAt }) => <Moment instant={createdAt} />,
    },
    { head: 'Qui', percent: 20, inCard: small, draw: (entry) => <Actor entry={entry} /> },
    {
      head: 'Action',
      percent: 54,
      inCard: 'order-first w-full',
      draw: (entry) => <Action entry={entry} nameOfRow={nameOfRow} />,
    },
    {
      head: 'Adresse',
      percent: 14,
      inCard: small,
      draw: ({ ip }) => <span className="wrap-anywhere tabular-nums">{ip}</span>,
    },
  ];
  return <Listing title="Journal d'audit" rows={entries} parts={columns} />;
}

function Actor({ entry: { actor } }: Pick<Told, 'entry'>) {
  if (!actor) return 'Serveur';
  return (
    <Link href={adminAuditAddress({ acteur: actor.id })} className={link}>
      {actor.name || `Utilisateur supprimé n°\u00a0${actor.id}`}
    </Link>
  );
}

/** What was done to what, and which fields it changed. */
function Action({ entry, nameOfRow }: Told) {
  const { title, details } = entry;
  const changes = changesOf(details, nameOfRow);
  return (
    <span className="wrap-anywhere flex flex-col">
      <span className="flex flex-wrap items-center gap-x-2">
        <strong className="font-semibold">{title}</strong>
        <Target entry={entry} nameOfRow={nameOfRow} />
      </span>
      {changes.length > 0 && <span className="text-soft text-small">{changes.join(' · ')}</span>}
    </span>
  );
}

function Target({ entry: { object, target }, nameOfRow }: Told) {
  if (target === null || !object) return null;
  return (
    <Link href={adminAuditAddress({ objet: object, cible: target })} className={link}>
      {nameObject(object, target, nameOfRow(object, target))}
    </Link>
  );
}

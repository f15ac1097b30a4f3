import { exportAudit, listAuditEntries } from '#contract/audit.ts';
import { download, saveFile } from '#web/api/download.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { type Fetching, FileButton } from '#web/features/admin/shared/file-button.tsx';
import { formatCount } from '#web/text/formats.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageIcon } from '#web/ui/icons.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { AuditFilters, type auditQuery, useAuditFilter } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';

export function AuditSection() {
  const { filter, query, set } = useAuditFilter();
  const list = useList(listAuditEntries, { query }, { pollEveryMs: pollEveryMs.adminAudit });
  return (
    <section aria-labelledby="audit-title">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id="audit-title" className="font-bold text-lg">
          Journal d’audit
        </h2>
        <ExportAudit query={query} />
      </div>
      <AuditFilters filter={filter} set={set} />
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
              Affichage de {formatCount(rows.length)} ligne(s) sur {capped && 'plus de '}
              {formatCount(Math.max(total, rows.length))} au total
            </p>
            <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
          </>
        )}
      </QueryState>
    </section>
  );
}

function ExportAudit({ query }: { query: ReturnType<typeof auditQuery> }) {
  const fetchLog = async (how: Fetching) => {
    const { file } = await download(exportAudit, query, how);
    const name = `audit_${dayOf(new Date())}.csv`;
    saveFile(file, name);
    return { title: 'Export réussi', description: `Journal enregistré dans ${name}.` };
  };
  return <FileButton onFetch={fetchLog}>Exporter CSV</FileButton>;
}

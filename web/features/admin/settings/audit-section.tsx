import { listAuditEntries } from '#contract/audit.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { formatCount } from '#web/text/formats.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageIcon } from '#web/ui/icons.tsx';
import { ListFoot } from '#web/ui/list-foot.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { useAuditFilter } from './audit-filter.ts';
import { AuditFilters } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';
import { ExportAudit } from './export-audit.tsx';

/** The audit log, newest first. */
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
      <QueryState query={list} loading="Chargement du journal..." failure="Impossible de charger le journal.">
        {({ rows, hasMore, total, capped }) =>
          rows.length === 0 ? (
            <EmptyState Icon={PageIcon} title="Aucune action trouvée" />
          ) : (
            <>
              <AuditTable entries={rows} />
              <p className="mt-3 text-soft">
                Affichage de {formatCount(rows.length)} ligne(s) sur {capped && 'plus de '}
                {formatCount(Math.max(total, rows.length))} au total
              </p>
              <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
            </>
          )
        }
      </QueryState>
    </section>
  );
}

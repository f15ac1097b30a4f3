import { useState } from 'react';
import { exportAudit, listAuditEntries } from '#contract/audit.ts';
import { download, saveFile } from '#web/api/download.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { type Fetching, FileButton } from '#web/features/admin/shared/file-button.tsx';
import { formatCount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { PageIcon } from '#web/ui/icons.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { AuditFilters, type auditQuery, useAuditFilter } from './audit-filters.tsx';
import { AuditTable } from './audit-table.tsx';

export function AuditSection() {
  const { filter, query, set } = useAuditFilter();
  const days = [filter.from, filter.to].filter(Boolean).length;
  const [isOpen, setOpen] = useState(days > 0);
  const list = useList(listAuditEntries, { query }, { pollEveryMs: pollEveryMs.adminAudit });
  return (
    <section aria-labelledby="audit-title">
      {/* On a phone the choices come first; on its side all in one row, the buttons below the height of the labels. */}
      <div className="flex max-sm:flex-col-reverse sm:max-md:flex-row-reverse sm:max-md:gap-2.5 sm:max-md:*:last:flex-1 md:block">
        <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 sm:max-md:mt-6.5 sm:max-md:self-start sm:max-md:[&>button]:min-h-13">
          {/* A phone has the section's link above it. */}
          <h2 id="audit-title" className="font-bold text-lg max-md:sr-only">
            Journal d'audit
          </h2>
          <Button
            variant="plain"
            tight
            className="font-normal! md:hidden"
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {days > 0 ? `Filtres (${days})` : 'Plus de filtres'}
          </Button>
          <ExportAudit query={query} />
        </div>
        <AuditFilters filter={filter} set={set} isOpen={isOpen} />
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
              {`Affichage de ${formatCount(rows.length)} ligne(s) sur ${capped ? 'plus de ' : ''}${formatCount(Math.max(total, rows.length))} au total`}
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

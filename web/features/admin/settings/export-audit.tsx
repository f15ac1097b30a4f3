import { exportAudit } from '#contract/audit.ts';
import { download, saveFile } from '#web/api/download.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { type Fetching, FileButton } from '#web/features/admin/shared/file-button.tsx';
import type { auditQuery } from './audit-filter.ts';

/** Saves the filtered log as a CSV file. */
export function ExportAudit({ query }: { query: ReturnType<typeof auditQuery> }) {
  const fetchLog = async (how: Fetching) => {
    const { file } = await download(exportAudit, query, how);
    const name = `audit_${dayOf(new Date())}.csv`;
    saveFile(file, name);
    return { title: 'Export réussi', description: `Journal enregistré dans ${name}.` };
  };
  return <FileButton onFetch={fetchLog}>Exporter CSV</FileButton>;
}

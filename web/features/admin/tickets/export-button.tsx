import { exportTickets } from '#contract/tickets.ts';
import { hasCode } from '#web/api/client.ts';
import { download, saveFile } from '#web/api/download.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { type Fetching, FileButton } from '#web/features/admin/shared/file-button.tsx';
import { formatCount } from '#web/text/formats.ts';

/** Saves the filtered tickets as an Excel file. */
export function ExportButton({ query }: { query: Record<string, string> }) {
  const fetchTickets = async (how: Fetching) => {
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    try {
      const { file, rows = 0 } = await download(exportTickets, { ...query, timeZone }, how);
      const name = `tickets_export_${dayOf(new Date())}.xlsx`;
      saveFile(file, name);
      return { title: 'Export réussi', description: `${formatCount(rows)} ticket(s) exporté(s) dans ${name}.` };
    } catch (error) {
      if (!hasCode(error, 'NOTHING_TO_EXPORT')) throw error;
      return { title: 'Aucune donnée', description: 'Aucun ticket à exporter.' };
    }
  };
  return <FileButton onFetch={fetchTickets}>Exporter Excel</FileButton>;
}

import { useRef, useState } from 'react';
import { exportTickets } from '#contract/tickets.ts';
import { hasCode } from '#web/api/client.ts';
import { download, saveFile } from '#web/api/download.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { formatCount, formatMegabytes } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useToast } from '#web/ui/toast.tsx';

/** Saves the filtered tickets as an Excel file, while one sees how much has come and may give it up. */
export function ExportButton({ query }: { query: Record<string, string> }) {
  const toast = useToast();
  const toastFailure = useFailureToast();
  const [bytes, setBytes] = useState(0);
  const giveUp = useRef(new AbortController());
  const run = useAction(async () => {
    giveUp.current = new AbortController();
    setBytes(0);
    const { signal } = giveUp.current;
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    try {
      const { file, rows = 0 } = await download(
        exportTickets,
        { ...query, timeZone },
        { signal, onProgress: setBytes },
      );
      const name = `tickets_export_${dayOf(new Date())}.xlsx`;
      saveFile(file, name);
      toast({ title: 'Export réussi', description: `${formatCount(rows)} ticket(s) exporté(s) dans ${name}.` });
    } catch (error) {
      if (signal.aborted) return;
      if (hasCode(error, 'NOTHING_TO_EXPORT'))
        toast({ title: 'Aucune donnée', description: 'Aucun ticket à exporter.' });
      else toastFailure(error, { fallback: "L'export a échoué. Réessayez." });
    }
  });
  return (
    <>
      <Button variant="plain" tight busy={run.busy} onClick={() => run.run()}>
        Exporter Excel
      </Button>
      {run.busy && (
        <Dialog title="Export en cours" onClose={() => giveUp.current.abort()}>
          <p role="status" className="mt-4 flex items-center gap-3 tabular-nums">
            <Spinner /> {bytes === 0 ? 'Préparation du fichier...' : `${formatMegabytes(bytes)} reçus`}
          </p>
          <Button variant="plain" className="mt-5 w-full" onClick={() => giveUp.current.abort()}>
            Annuler l’export
          </Button>
        </Dialog>
      )}
    </>
  );
}

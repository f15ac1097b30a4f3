import { useRef, useState } from 'react';
import { exportAudit } from '#contract/audit.ts';
import { download, saveFile } from '#web/api/download.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { formatMegabytes } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useToast } from '#web/ui/toast.tsx';
import type { auditQuery } from './audit-filter.ts';

/** Saves the filtered log as a CSV file, while one sees how much has come and may give it up. */
export function ExportAudit({ query }: { query: ReturnType<typeof auditQuery> }) {
  const toast = useToast();
  const toastFailure = useFailureToast();
  const [bytes, setBytes] = useState(0);
  const giveUp = useRef(new AbortController());
  const run = useAction(async () => {
    giveUp.current = new AbortController();
    setBytes(0);
    const { signal } = giveUp.current;
    try {
      const { file } = await download(exportAudit, query, { signal, onProgress: setBytes });
      const name = `audit_${dayOf(new Date())}.csv`;
      saveFile(file, name);
      toast({ title: 'Export réussi', description: `Journal enregistré dans ${name}.` });
    } catch (error) {
      if (!signal.aborted) toastFailure(error, { fallback: "L'export a échoué. Réessayez." });
    }
  });
  return (
    <>
      <Button variant="plain" tight busy={run.busy} onClick={() => run.run()}>
        Exporter CSV
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

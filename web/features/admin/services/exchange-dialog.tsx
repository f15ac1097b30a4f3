import { useRef, useState } from 'react';
import { exportCatalogue } from '#contract/catalogue.ts';
import { download, saveFile } from '#web/api/download.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { ImportResult } from './import-result.tsx';
import { useImport } from './use-import.ts';

/** Exports and imports the whole catalogue as a file. */
export function ExchangeDialog({ onClose }: { onClose: () => void }) {
  const toast = useToast();
  const toastFailure = useFailureToast();
  const input = useRef<HTMLInputElement>(null);
  const [gone] = useState(() => new AbortController());
  const exported = useAction(async () => {
    const name = `catalogue_${dayOf(new Date())}.csv`;
    try {
      const { file } = await download(exportCatalogue, {}, { signal: gone.signal, onProgress: () => {} });
      saveFile(file, name);
      toast({ title: 'Export réussi', description: `Le catalogue est dans ${name}.` });
    } catch (error) {
      if (!gone.signal.aborted) toastFailure(error, { fallback: 'L’export a échoué. Réessayez.' });
    }
  });
  const load = useImport({ onImported: onClose });
  const close = () => {
    gone.abort();
    onClose();
  };
  return (
    <Dialog wide title="Importer, exporter" onClose={close}>
      <section aria-labelledby="export-title" className="mt-4 flex flex-col items-start gap-3">
        <h3 id="export-title" className="font-bold">
          Exporter le catalogue
        </h3>
        <p className="text-soft">Tous les services dans un fichier CSV, à ouvrir dans un tableur. Sans les images.</p>
        <Button variant="plain" busy={exported.busy} onClick={() => exported.run()}>
          Télécharger le CSV
        </Button>
      </section>
      <section
        aria-labelledby="import-title"
        className="mt-6 flex flex-col items-start gap-3 border-line border-t pt-5"
      >
        <h3 id="import-title" className="font-bold">
          Importer un catalogue
        </h3>
        <p className="text-soft">
          Une ligne dont l’identifiant est connu modifie ce service, les autres en créent. Rien n’est supprimé, et rien
          n’est écrit tant qu’une ligne est fausse. Le fichier est d’abord vérifié.
        </p>
        <input
          ref={input}
          type="file"
          hidden
          accept=".csv,.txt,text/csv,text/plain"
          aria-label="Fichier CSV"
          onChange={({ target }) => {
            const file = target.files?.[0];
            if (file) void load.check.run(file);
            // So that a corrected file of the same name can be chosen again.
            target.value = '';
          }}
        />
        <Button variant="plain" busy={load.check.busy} onClick={() => input.current?.click()}>
          {load.checked ? 'Choisir un autre fichier' : 'Choisir un fichier'}
        </Button>
        <ImportResult load={load} />
      </section>
      <Button variant="quiet" className="mt-6 w-full" onClick={close}>
        Fermer
      </Button>
    </Dialog>
  );
}

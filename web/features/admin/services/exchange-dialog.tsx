import { useRef, useState } from 'react';
import { catalogueBytes, exportCatalogue, importCatalogue, listAllServices } from '#contract/catalogue.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { download, saveFile } from '#web/api/download.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { serverErrors } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formatCount, formatMegabytes } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { decodeFile } from './decode-file.ts';

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
      if (!gone.signal.aborted) toastFailure(error, { fallback: "L'export a échoué. Réessayez." });
    }
  });
  const { checked, check, write } = useImport(onClose);
  const close = () => {
    gone.abort();
    onClose();
  };
  return (
    <Dialog wide title="Importer, exporter" onClose={close}>
      <div className="mt-4 grid gap-x-8 gap-y-6 md:grid-cols-2 short:grid-cols-2">
        <section aria-labelledby="export-title" className="flex flex-col items-start gap-3">
          <h3 id="export-title" className="font-bold">
            Exporter le catalogue
          </h3>
          <p className="text-soft">Tous les services dans un fichier CSV, à ouvrir dans un tableur. Sans les images.</p>
          <Button
            variant="outline"
            className="mt-auto max-sm:self-stretch"
            busy={exported.busy}
            onClick={() => exported.run()}
          >
            Télécharger le CSV
          </Button>
        </section>
        <section
          aria-labelledby="import-title"
          className="flex flex-col items-start gap-3 max-md:border-line max-md:border-t max-md:pt-5 short:border-t-0 short:pt-0"
        >
          <h3 id="import-title" className="font-bold">
            Importer un catalogue
          </h3>
          <p className="text-soft">
            Une ligne sans identifiant crée un service, les autres modifient le leur. Rien n'est supprimé, et rien n'est
            écrit tant qu'une case est fausse. Le fichier est d'abord vérifié.
          </p>
          <input
            ref={input}
            type="file"
            hidden
            accept=".csv,.txt,text/csv,text/plain"
            aria-label="Fichier CSV"
            onChange={({ target }) => {
              const file = target.files?.[0];
              if (file) void check.run(file);
              // So that a corrected file of the same name can be chosen again.
              target.value = '';
            }}
          />
          <Button
            variant="outline"
            className="mt-auto max-sm:self-stretch"
            busy={check.busy}
            onClick={() => input.current?.click()}
          >
            {checked ? 'Choisir un autre fichier' : 'Choisir un fichier'}
          </Button>
        </section>
      </div>
      <div className="mt-4">
        <p role="status" className="flex items-center gap-3 empty:hidden">
          {check.busy && (
            <>
              <Spinner /> <span>Vérification du fichier...</span>
            </>
          )}
        </p>
        <p role="alert" className="wrap-anywhere rounded-xl bg-brick-pale px-3 py-2 text-brick empty:hidden">
          {checked?.problem && `${checked.name} : ${checked.problem}`}
        </p>
        {checked?.result && !check.busy && <Answer name={checked.name} result={checked.result} write={write} />}
      </div>
      <DialogButtons className="mt-4">
        <Button variant="plain" onClick={close}>
          Fermer
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface Checked {
  name: string;
  csv: string;
  /** The result of the dry run, or of a refused write. */
  result?: ResponseOf<typeof importCatalogue>;
  /** The error of the file as a whole. */
  problem?: string;
}

/** Checks a file by a dry run when it is chosen, and writes it on request. */
function useImport(onImported: () => void) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const [checked, setChecked] = useState<Checked>();

  const ask = async (name: string, csv: string, dryRun: boolean) => {
    try {
      const result = await call(importCatalogue, { body: { csv, dryRun } });
      setChecked({ name, csv, result });
      return result;
    } catch (error) {
      const problem = serverErrors(error).csv ?? failureSentence(error, "Le fichier n'a pas pu être lu.");
      setChecked({ name, csv, problem });
      return undefined;
    }
  };
  const check = useAction(async (file: File) => {
    setChecked(undefined);
    const problem = `Ce fichier fait ${formatMegabytes(file.size)} : ${formatMegabytes(catalogueBytes)} au plus.`;
    if (file.size > catalogueBytes) setChecked({ name: file.name, csv: '', problem });
    else await ask(file.name, decodeFile(await file.arrayBuffer()), true);
  });
  const write = useAction(async () => {
    const result = checked && (await ask(checked.name, checked.csv, false));
    if (!result?.written) return;
    await refresh(listAllServices);
    const description = `${result.created} service(s) créé(s), ${result.updated} mis à jour.`;
    toast({ title: 'Catalogue importé', description });
    onImported();
  });
  return { checked, check, write };
}

interface Answered {
  name: string;
  result: ResponseOf<typeof importCatalogue>;
}

function Answer({ name, result, write }: Answered & Pick<ReturnType<typeof useImport>, 'write'>) {
  const { created, updated, unchanged, errors } = result;
  if (errors.length > 0) return <Errors name={name} result={result} />;
  return (
    <div className="flex flex-col gap-4">
      <div className="rounded-xl border border-line px-4 py-3">
        <h4 className="wrap-anywhere mb-2 font-semibold">{name}</h4>
        <Facts>
          <Fact name="Services à créer">{formatCount(created)}</Fact>
          <Fact name="Services à mettre à jour">{formatCount(updated)}</Fact>
          <Fact name="Services inchangés">{formatCount(unchanged)}</Fact>
        </Facts>
      </div>
      {created + updated > 0 ? (
        <Button className="w-full" busy={write.busy} onClick={() => write.run()}>
          Importer
        </Button>
      ) : (
        <p role="status">Rien à importer : le catalogue est déjà ainsi.</p>
      )}
    </div>
  );
}

function Errors({ name, result: { errors } }: Answered) {
  return (
    <>
      <p role="alert" className="wrap-anywhere mb-2 font-medium text-brick">
        {`${name} : ${errors.length === 1 ? 'une erreur' : `${formatCount(errors.length)} erreurs`}. Rien n'a été importé.`}
      </p>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        aria-label="Erreurs du fichier"
        className="max-h-[calc(0.4*var(--screen))] overflow-auto rounded-xl border border-line"
      >
        <table className="w-full text-sm">
          <thead>
            <tr className="bg-ground text-left text-soft">
              <th scope="col" className="px-3 py-2 text-right font-semibold">
                Ligne
              </th>
              <th scope="col" className="px-3 py-2 font-semibold">
                Colonne
              </th>
              <th scope="col" className="px-3 py-2 font-semibold">
                Message
              </th>
            </tr>
          </thead>
          <tbody>
            {errors.map(({ line, column, message }) => (
              <tr key={`${line} ${column} ${message}`} className="border-line border-t align-top">
                <td className="px-3 py-2 text-right tabular-nums">{formatCount(line)}</td>
                <td className="px-3 py-2 font-mono">{column ?? '—'}</td>
                <td className="wrap-anywhere px-3 py-2">{message}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </>
  );
}

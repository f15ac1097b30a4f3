import { useState } from 'react';
import { listAllServices } from '#contract/catalogue.ts';
import { catalogueColumns } from '#contract/catalogue-columns.ts';
import { catalogueBytes, exportCatalogue, importCatalogue } from '#contract/catalogue-edits.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { download, saveFile } from '#web/api/download.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-refresh.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { CloseFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { FileButton } from '#web/features/admin/shared/file-button.tsx';
import { serverErrors } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formatCount, formatMegabytes } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { decodeFile } from './decode-file.ts';

export function ExchangeDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog wide title="Importer, exporter" onClose={onClose}>
      <Export />
      <Import onImported={onClose} />
      <CloseFoot onClose={onClose} />
    </Dialog>
  );
}

function Export() {
  const save = useAction(
    async () => {
      const name = `catalogue_${dayOf(new Date())}.csv`;
      saveFile((await download(exportCatalogue, {})).file, name);
      return { title: 'Export réussi', description: `Le catalogue est dans ${name}.` };
    },
    { failure: { fallback: "L'export a échoué. Réessayez." } },
  );
  return (
    <section className="mt-4 flex flex-col items-start gap-3">
      <h3 className="font-bold">Exporter le catalogue</h3>
      <p className="text-soft">Tous les services dans un fichier CSV, à ouvrir dans un tableur. Sans les images.</p>
      <Button variant="outline" className="max-sm:self-stretch" busy={save.busy} onClick={() => save.run()}>
        Télécharger le CSV
      </Button>
    </section>
  );
}

interface Checked {
  name: string;
  csv: string;
  /** The result of the dry run, or of a refused write. */
  result?: ResponseOf<typeof importCatalogue>;
  /** Why nothing of the file can be imported. */
  problem?: string;
}

/** Checks a file by a dry run when it is chosen, and writes it on request. */
function Import({ onImported }: { onImported: () => void }) {
  const call = useCall();
  const refresh = useRefresh();
  const [checked, setChecked] = useState<Checked>();
  const ask = async (name: string, csv: string, dryRun: boolean) => {
    try {
      const result = await call(importCatalogue, { body: { csv, dryRun } });
      const { length } = result.errors;
      const problem = `${length === 1 ? 'une erreur' : `${formatCount(length)} erreurs`}. Rien n'a été importé.`;
      setChecked({ name, csv, result, ...(length > 0 && { problem }) });
      return result;
    } catch (error) {
      const problem = serverErrors(error).csv ?? failureSentence(error, "Le fichier n'a pas pu être lu.");
      setChecked({ name, csv, problem });
      return undefined;
    }
  };
  const check = useAction(async (file: File) => {
    const problem = `Ce fichier fait ${formatMegabytes(file.size)}\u00a0: ${formatMegabytes(catalogueBytes)} au plus.`;
    if (file.size > catalogueBytes) setChecked({ name: file.name, csv: '', problem });
    else await ask(file.name, decodeFile(await file.arrayBuffer()), true);
  });
  const write = useAction(async () => {
    const result = checked && (await ask(checked.name, checked.csv, false));
    if (!result?.written) return undefined;
    await refresh(listAllServices);
    const description = `Services créés\u00a0: ${formatCount(result.created)}. Mis à jour\u00a0: ${formatCount(result.updated)}.`;
    onImported();
    return { title: 'Catalogue importé', description };
  });
  return (
    <section className="mt-6 flex flex-col items-start gap-3 border-line border-t pt-5">
      <h3 className="font-bold">Importer un catalogue</h3>
      <p className="text-soft">
        Une ligne sans identifiant crée un service, les autres modifient le leur. Rien n'est supprimé, et rien n'est
        écrit tant qu'une case est fausse. Le fichier est d'abord vérifié.
      </p>
      <FileButton
        label="Fichier CSV"
        accept=".csv,.txt,text/csv,text/plain"
        variant="outline"
        className="max-sm:self-stretch"
        busy={check.busy}
        onChoose={(file) => check.run(file)}
      >
        {checked ? 'Choisir un autre fichier' : 'Choisir un fichier'}
      </FileButton>
      <p role="alert" className="wrap-anywhere font-medium text-brick empty:hidden">
        {checked?.problem && `${checked.name}\u00a0: ${checked.problem}`}
      </p>
      {checked?.result && <Answer result={checked.result} write={write} />}
    </section>
  );
}

/** A column as the exported file names it; another one as its file does. */
const nameOf = (column: string) => (catalogueColumns as Readonly<Record<string, string>>)[column] ?? column;

interface AnswerProps {
  result: ResponseOf<typeof importCatalogue>;
  write: { busy: boolean; run: () => unknown };
}

function Answer({ result: { created, updated, unchanged, errors }, write }: AnswerProps) {
  if (errors.length > 0)
    return (
      <ul aria-label="Erreurs du fichier" className="flex flex-col gap-1 self-stretch text-body">
        {errors.map(({ line, column, message }) => (
          <li key={`${line} ${column} ${message}`} className="wrap-anywhere border-line border-t pt-1">
            <span className="font-semibold">{`Ligne ${formatCount(line)}${column ? `, ${nameOf(column)}` : ''}\u00a0: `}</span>
            <span>{message}</span>
          </li>
        ))}
      </ul>
    );
  return (
    <div className="flex flex-col gap-4 self-stretch">
      <p role="status">
        {`À créer\u00a0: ${formatCount(created)}. À mettre à jour\u00a0: ${formatCount(updated)}. Inchangés\u00a0: ${formatCount(unchanged)}.`}
      </p>
      {created + updated > 0 && (
        <Button className="w-full" busy={write.busy} onClick={() => write.run()}>
          Importer
        </Button>
      )}
    </div>
  );
}

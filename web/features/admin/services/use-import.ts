import { useState } from 'react';
import { catalogueBytes, importCatalogue, listAllServices } from '#contract/catalogue.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { serverErrors } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formatMegabytes } from '#web/text/formats.ts';
import { useToast } from '#web/ui/toast.tsx';
import { decodeText } from './decode-text.ts';

interface Checked {
  name: string;
  csv: string;
  /** The result of the dry run, or of a refused write. */
  result?: ResponseOf<typeof importCatalogue>;
  /** The error of the file as a whole. */
  problem?: string;
}

export type Import = ReturnType<typeof useImport>;

/** Checks a file by a dry run when it is chosen, and writes it on request. */
export function useImport({ onImported }: { onImported: () => void }) {
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
      const problem = serverErrors(error).csv ?? failureSentence(error, 'Le fichier n’a pas pu être lu.');
      setChecked({ name, csv, problem });
      return undefined;
    }
  };

  const check = useAction(async (file: File) => {
    setChecked(undefined);
    if (file.size > catalogueBytes) {
      const problem = `Ce fichier fait ${formatMegabytes(file.size)} : ${formatMegabytes(catalogueBytes)} au plus.`;
      return setChecked({ name: file.name, csv: '', problem });
    }
    await ask(file.name, decodeText(await file.arrayBuffer()), true);
  });

  const write = useAction(async () => {
    if (!checked) return;
    const result = await ask(checked.name, checked.csv, false);
    if (!result?.written) return;
    await refresh(listAllServices);
    toast({
      title: 'Catalogue importé',
      description: `${result.created} service(s) créé(s), ${result.updated} mis à jour.`,
    });
    onImported();
  });
  return { checked, check, write };
}

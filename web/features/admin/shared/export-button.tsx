import type { Endpoint } from '#contract/endpoint.ts';
import { hasCode } from '#web/api/client.ts';
import { download, saveFile } from '#web/api/download.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formatCounted } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { useToast } from '#web/ui/toast.tsx';

interface ExportButtonProps {
  endpoint: Endpoint;
  query: Record<string, string>;
  nameNow: () => string;
  counted: string;
  className?: string;
}

const fallback = "L'export a échoué. Réessayez.";

/** Saves an endpoint's Excel file under a name, and says how many of `counted` are in it. */
export function ExportButton({ endpoint, query, nameNow, counted, className }: ExportButtonProps) {
  const toast = useToast();
  const toastFailure = useFailureToast();
  const save = useAction(async () => {
    const name = nameNow();
    try {
      const { file, rows = 0 } = await download(endpoint, query);
      saveFile(file, name);
      toast({ title: 'Export réussi', description: `${formatCounted(rows, counted)} dans ${name}.` });
    } catch (error) {
      if (hasCode(error, 'NOTHING_TO_EXPORT'))
        toast({ title: 'Aucune donnée', description: failureSentence(error, fallback), neutral: true });
      else toastFailure(error, { fallback });
    }
  });
  return (
    <Button variant="plain" className={className} busy={save.busy} onClick={() => save.run()}>
      {save.busy ? 'Export en cours...' : 'Exporter Excel'}
    </Button>
  );
}

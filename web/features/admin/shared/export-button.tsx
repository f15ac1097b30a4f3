import type { Endpoint } from '#contract/endpoint.ts';
import { hasCode } from '#web/api/client.ts';
import { download, saveFile } from '#web/api/download.ts';
import { useAction } from '#web/forms/use-action.ts';
import { formatCounted } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';

interface ExportButtonProps {
  endpoint: Endpoint;
  query: Record<string, string>;
  nameNow: () => string;
  counted: string;
  className?: string;
}

/** Saves an endpoint's Excel file under a name, and says how many of `counted` are in it. */
export function ExportButton({ endpoint, query, nameNow, counted, className }: ExportButtonProps) {
  const save = useAction(
    async () => {
      const name = nameNow();
      const { file, rows = 0 } = await download(endpoint, query);
      saveFile(file, name);
      return { title: 'Export réussi', description: `${formatCounted(rows, counted)} dans ${name}.` };
    },
    {
      failure: (error) => ({
        fallback: "L'export a échoué. Réessayez.",
        ...(hasCode(error, 'NOTHING_TO_EXPORT') && { title: 'Aucune donnée', neutral: true }),
      }),
    },
  );
  return (
    <Button variant="plain" className={className} busy={save.busy} onClick={() => save.run()}>
      {save.busy ? 'Export en cours...' : 'Exporter Excel'}
    </Button>
  );
}

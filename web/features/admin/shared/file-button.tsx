import { type ReactNode, useRef, useState } from 'react';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { formatMegabytes } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { type Toast, useToast } from '#web/ui/toast.tsx';

/** Options of a fetch: an abort signal, and a callback for its progress in bytes. */
export interface Fetching {
  signal: AbortSignal;
  onProgress: (bytes: number) => void;
}

/**
 * A button that downloads a file, with progress and a cancel button. `onFetch` fetches and saves it, and returns the
 * toast.
 */
export function FileButton({ children, onFetch }: { children: ReactNode; onFetch: (how: Fetching) => Promise<Toast> }) {
  const toast = useToast();
  const toastFailure = useFailureToast();
  const [bytes, setBytes] = useState(0);
  const giveUp = useRef(new AbortController());
  const run = useAction(async () => {
    giveUp.current = new AbortController();
    setBytes(0);
    const { signal } = giveUp.current;
    try {
      toast(await onFetch({ signal, onProgress: setBytes }));
    } catch (error) {
      if (!signal.aborted) toastFailure(error, { fallback: "L'export a échoué. Réessayez." });
    }
  });
  return (
    <>
      <Button variant="plain" tight busy={run.busy} onClick={() => run.run()}>
        {children}
      </Button>
      {run.busy && (
        <Dialog title="Export en cours" onClose={() => giveUp.current.abort()}>
          <p role="status" className="mt-4 flex items-center gap-3 tabular-nums">
            <Spinner />
            <span>{bytes === 0 ? 'Préparation du fichier...' : `${formatMegabytes(bytes)} reçus`}</span>
          </p>
          <DialogButtons className="mt-5">
            <Button variant="plain" onClick={() => giveUp.current.abort()}>
              Annuler l'export
            </Button>
          </DialogButtons>
        </Dialog>
      )}
    </>
  );
}

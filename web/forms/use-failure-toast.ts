import { useCallback } from 'react';
import { hasCode } from '#web/api/client.ts';
import { failureSentence } from '#web/text/failures.ts';
import { useToast } from '#web/ui/toast.tsx';

interface Wording {
  /** 'Erreur' by default. */
  title?: string;
  /** What to say when the server had no sentence for it. */
  fallback: string;
  /** Comes before what the server said. */
  prefix?: string;
}

/** Tells a person, in red, why a call failed: the server's sentence, or the screen's own. */
export function useFailureToast(): (error: unknown, wording: Wording) => void {
  const toast = useToast();
  return useCallback(
    (error, { title = 'Erreur', fallback, prefix = '' }) => {
      // The session has said so itself.
      if (hasCode(error, 'NOT_SIGNED_IN')) return;
      toast({ title, description: `${prefix} ${failureSentence(error, fallback)}`.trim(), destructive: true });
    },
    [toast],
  );
}

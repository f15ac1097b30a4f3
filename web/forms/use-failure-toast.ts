import { useCallback } from 'react';
import { hasCode } from '#web/api/client.ts';
import { failureSentence } from '#web/text/failures.ts';
import { useToast } from '#web/ui/toast.tsx';

export interface Wording {
  /** 'Erreur' by default. */
  title?: string;
  /** The sentence for failures without one from the server. */
  fallback: string;
  /** Precedes the server's sentence. */
  prefix?: string;
  /** It is no failure to the person. */
  neutral?: boolean;
}

/** Shows a failed call in a red toast: the server's sentence, or the screen's own. */
export function useFailureToast(): (error: unknown, wording: Wording) => void {
  const toast = useToast();
  return useCallback(
    (error, { title = 'Erreur', fallback, prefix = '', neutral = false }) => {
      // The session shows this itself.
      if (hasCode(error, 'NOT_SIGNED_IN')) return;
      const description = `${prefix} ${failureSentence(error, fallback)}`.trim();
      toast({ title, description, neutral, destructive: !neutral });
    },
    [toast],
  );
}

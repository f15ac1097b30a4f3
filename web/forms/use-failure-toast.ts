import { useCallback } from 'react';
import { failureSentence } from '#web/text/failures.ts';
import { useToast } from '#web/ui/toast.tsx';

interface Wording {
  /** 'Erreur' unless told. */
  title?: string;
  /** What to say when the server had no sentence for it. */
  fallback: string;
}

/** Tells a person, in red, why a call failed: the server's sentence, or the screen's own. */
export function useFailureToast(): (error: unknown, wording: Wording) => void {
  const toast = useToast();
  return useCallback(
    (error, { title = 'Erreur', fallback }) =>
      toast({ title, description: failureSentence(error, fallback), destructive: true }),
    [toast],
  );
}

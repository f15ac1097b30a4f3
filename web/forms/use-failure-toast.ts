import { use, useCallback } from 'react';
import { hasCode } from '#web/api/client.ts';
import { failureSentence, faultId } from '#web/text/failures.ts';
import { StaffContext } from '#web/ui/staff.ts';
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
  /** The specification asks for the toast, also where a field says why. */
  always?: boolean;
}

/** Shows a failed call in a red toast: the server's sentence, or the screen's own; in the panel with the id of a fault. */
export function useFailureToast(): (error: unknown, wording: Wording) => void {
  const toast = useToast();
  const isStaff = use(StaffContext);
  return useCallback(
    (error, { title = 'Erreur', fallback, prefix = '', neutral = false }) => {
      // The session shows this itself.
      if (hasCode(error, 'NOT_SIGNED_IN')) return;
      const id = isStaff && faultId(error);
      const parts = [prefix, failureSentence(error, fallback), id && `Erreur n°\u00a0${id}.`];
      const description = parts.filter(Boolean).join(' ');
      toast({ title, description, neutral, destructive: !neutral });
    },
    [toast, isStaff],
  );
}

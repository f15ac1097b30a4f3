import { listRejectReasons, type RejectReasons, rejectReasonsForm, saveRejectReasons } from '#contract/settings.ts';
import { useCall } from '#web/api/use-call.ts';
import type { DraftCopy } from '#web/features/admin/shared/use-draft.ts';
import { type FieldErrors, readForm } from '#web/forms/read-form.ts';
import { useSaveEdited } from './use-save-edited.ts';

/** Saves the reasons over the version their editor saw. */
export function useSaveReasons(copy: DraftCopy<RejectReasons, string[]>) {
  const call = useCall();
  return useSaveEdited(copy, {
    read: listRejectReasons,
    toSend: (draft) => {
      const errors = findDuplicates(draft);
      const read = readForm(rejectReasonsForm, { reasons: draft });
      return read.data && Object.keys(errors).length > 0 ? { errors } : read;
    },
    store: (body) => call(saveRejectReasons, { body }),
    titles: { saved: 'Motifs enregistrés', refused: 'Non enregistré' },
    failure: { fallback: "Les motifs n'ont pas pu être enregistrés." },
  });
}

/** An error for each reason that repeats an earlier one. */
function findDuplicates(reasons: readonly string[]): FieldErrors {
  const plain = reasons.map((reason) => reason.trim().toLowerCase());
  const repeated = plain.flatMap((reason, index) => (plain.indexOf(reason) < index ? [index] : []));
  return Object.fromEntries(repeated.map((index) => [`reasons.${index}`, 'Ce motif est déjà dans la liste.']));
}

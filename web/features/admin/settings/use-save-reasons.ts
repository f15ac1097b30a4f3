import { failureCatalogue } from '#contract/failure.ts';
import { listRejectReasons, rejectReasonsForm, saveRejectReasons } from '#contract/settings.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { type FieldErrors, readForm, serverErrors } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { useEditedCopy } from './use-edited-copy.ts';

/** Saves the reasons, over those that their writer has seen only. */
export function useSaveReasons(
  copy: ReturnType<typeof useEditedCopy<string[]>>,
  setErrors: (errors: FieldErrors) => void,
) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  return useAction(async () => {
    const { draft } = copy;
    const { data, errors = twice(draft) } = readForm(rejectReasonsForm, { reasons: draft });
    setErrors(errors);
    if (!data || Object.keys(errors).length > 0) return;
    try {
      const { reasons: now } = await call(listRejectReasons, {});
      if (copy.isBase(now)) {
        const { reasons } = await call(saveRejectReasons, { body: data });
        copy.noteSaved(draft, reasons);
        toast({ title: 'Motifs enregistrés' });
      } else toast({ title: 'Non enregistré', description: failureCatalogue.CHANGED_MEANWHILE[1], destructive: true });
    } catch (error) {
      setErrors(serverErrors(error));
      toastFailure(error, { fallback: "Les motifs n'ont pas pu être enregistrés." });
    }
    await refresh(listRejectReasons);
  });
}

/** A complaint about each reason that stands above already. */
function twice(reasons: readonly string[]): FieldErrors {
  const plain = reasons.map((reason) => reason.trim().toLowerCase());
  const repeated = plain.flatMap((reason, index) => (plain.indexOf(reason) < index ? [index] : []));
  return Object.fromEntries(repeated.map((index) => [`reasons.${index}`, 'Ce motif est déjà dans la liste.']));
}

import { failureCatalogue } from '#contract/failure.ts';
import { readSms, type SmsSettings, saveSmsSettings, smsSettings } from '#contract/sms-panel.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { type FieldErrors, readForm, serverErrors } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { useEditedCopy } from './use-edited-copy.ts';

/** The settings while they are typed: numbers as text. */
export interface TypedSmsSettings {
  perDay: string;
  perCountryAndDay: string;
  onDecision: boolean;
}

export const typedSettings = ({ perDay, perCountryAndDay, onDecision }: SmsSettings): TypedSmsSettings => ({
  perDay: String(perDay),
  perCountryAndDay: String(perCountryAndDay),
  onDecision,
});

/** A typed whole number, spaces between its digits or not; nothing a form takes otherwise. */
const readCount = (text: string) => (/^\d[\d\s]*$/.test(text.trim()) ? Number(text.replace(/\s/g, '')) : Number.NaN);

/** Saves the settings, over those that their writer has seen only. */
export function useSaveSmsSettings(
  copy: ReturnType<typeof useEditedCopy<TypedSmsSettings>>,
  setErrors: (errors: FieldErrors) => void,
) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  return useAction(async () => {
    const { draft } = copy;
    const values = { perDay: readCount(draft.perDay), perCountryAndDay: readCount(draft.perCountryAndDay) };
    const { data, errors = {} } = readForm(smsSettings, { ...values, onDecision: draft.onDecision });
    setErrors(errors);
    if (!data) return;
    try {
      const { settings: now } = await call(readSms, {});
      if (copy.isBase(typedSettings(now))) {
        const saved = await call(saveSmsSettings, { body: data });
        copy.noteSaved(draft, typedSettings(saved));
        toast({ title: 'Réglages enregistrés' });
      } else toast({ title: 'Non enregistré', description: failureCatalogue.CHANGED_MEANWHILE[1], destructive: true });
    } catch (error) {
      setErrors(serverErrors(error));
      toastFailure(error, { fallback: 'Les réglages n’ont pas pu être enregistrés.' });
    }
    await refresh(readSms);
  });
}

import {
  readSms,
  type SmsSettings,
  type SmsSettingsForm,
  saveSmsSettings,
  smsCapAtMost,
  smsCapMessage,
} from '#contract/sms-panel.ts';
import { useCall } from '#web/api/use-call.ts';
import type { DraftCopy } from '#web/features/admin/shared/use-draft.ts';
import { type FieldErrors, serverErrors } from '#web/forms/read-form.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useSaveEdited } from './use-save-edited.ts';

/** The settings in the form; numbers are text. */
export interface TypedSmsSettings {
  perDay: string;
  perCountryAndDay: string;
  onDecision: boolean;
}

export const typedSettings = ({ perDay, perCountryAndDay, onDecision }: SmsSettingsForm): TypedSmsSettings => ({
  perDay: String(perDay),
  perCountryAndDay: String(perCountryAndDay),
  onDecision,
});

/**
 * Parses a typed cap, with or without spaces; `undefined` if invalid. The contract's schema would add its part of zod
 * to the first screen.
 */
function readCap(typed: string): number | undefined {
  const digits = typed.replace(/\s/g, '');
  return /^\d{1,7}$/.test(digits) && Number(digits) <= smsCapAtMost ? Number(digits) : undefined;
}

/** Saves the settings over the version their editor saw. */
export function useSaveSmsSettings(
  copy: DraftCopy<SmsSettings, TypedSmsSettings>,
  setErrors: (errors: FieldErrors) => void,
) {
  const call = useCall();
  const toastFailure = useFailureToast();
  return useSaveEdited(copy, {
    read: readSms,
    toSend: (draft) => {
      const [perDay, perCountryAndDay] = [readCap(draft.perDay), readCap(draft.perCountryAndDay)];
      setErrors({
        ...(perDay === undefined && { perDay: smsCapMessage }),
        ...(perCountryAndDay === undefined && { perCountryAndDay: smsCapMessage }),
      });
      if (perDay === undefined || perCountryAndDay === undefined) return undefined;
      return { perDay, perCountryAndDay, onDecision: draft.onDecision };
    },
    store: (body) => call(saveSmsSettings, { body }),
    titles: { saved: 'Réglages enregistrés', refused: 'Non enregistré' },
    onFailure: (error) => {
      setErrors(serverErrors(error));
      toastFailure(error, { fallback: 'Les réglages n’ont pas pu être enregistrés.' });
    },
  });
}

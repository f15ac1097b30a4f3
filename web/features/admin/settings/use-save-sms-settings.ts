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

/** The settings while they are typed: numbers as text. */
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
 * A typed cap, spaces between its digits or not; nothing where it is none. Not by the contract's schema: the first screen
 * would carry what that takes of zod.
 */
function readCap(typed: string): number | undefined {
  const digits = typed.replace(/\s/g, '');
  return /^\d{1,7}$/.test(digits) && Number(digits) <= smsCapAtMost ? Number(digits) : undefined;
}

/** Saves the settings, over those that their writer has seen only. */
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

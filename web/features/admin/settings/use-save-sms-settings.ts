import {
  readSms,
  type SmsSettings,
  type SmsSettingsForm,
  saveSmsSettings,
  smsCapAtMost,
  smsCapMessage,
} from '#contract/sms.ts';
import { useCall } from '#web/api/use-call.ts';
import type { DraftCopy } from '#web/features/admin/shared/use-draft.ts';
import type { Reading } from '#web/forms/read-form.ts';
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
export function useSaveSmsSettings(copy: DraftCopy<SmsSettings, TypedSmsSettings>) {
  const call = useCall();
  return useSaveEdited(copy, {
    read: readSms,
    toSend: (draft): Reading<SmsSettingsForm> => {
      const [perDay, perCountryAndDay] = [readCap(draft.perDay), readCap(draft.perCountryAndDay)];
      if (perDay !== undefined && perCountryAndDay !== undefined)
        return { data: { perDay, perCountryAndDay, onDecision: draft.onDecision } };
      const errors = {
        ...(perDay === undefined && { perDay: smsCapMessage }),
        ...(perCountryAndDay === undefined && { perCountryAndDay: smsCapMessage }),
      };
      return { errors };
    },
    store: (body) => call(saveSmsSettings, { body }),
    titles: { saved: 'Réglages enregistrés', refused: 'Non enregistré' },
    failure: { fallback: 'Les réglages n’ont pas pu être enregistrés.' },
  });
}

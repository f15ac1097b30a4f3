import { readSms, type SmsSettings, saveSmsSettings, smsCapAtMost, smsCapMessage } from '#contract/sms.ts';
import { useCall } from '#web/api/use-call.ts';
import { type DraftCopy, useDraft } from '#web/features/admin/shared/draft.tsx';
import { CheckField } from '#web/features/admin/shared/fields.tsx';
import type { Reading } from '#web/forms/read-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { SavedSection, useSaveEdited } from './saved-section.tsx';

export function SmsSettingsForm({ stored }: { stored: SmsSettings }) {
  const copy = useDraft(stored, typedSettings);
  const { form, errors, setErrors, busy, question } = useSaveSmsSettings(copy);
  const { draft } = copy;
  const change = (fields: Partial<TypedSmsSettings>) => {
    setErrors({});
    copy.change((before) => ({ ...before, ...fields }));
  };
  return (
    <SavedSection
      title="Réglages"
      about="Au plafond, plus aucun code ne part jusqu'à minuit (UTC)&nbsp;: inscriptions et réinitialisations attendent."
      copy={copy}
      form={form}
      question={question}
    >
      <div className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        <Field
          label="SMS par jour"
          name="perDay"
          inputMode="numeric"
          hint="Tous les pays ensemble"
          value={draft.perDay}
          error={errors.perDay}
          onChange={({ target }) => change({ perDay: target.value })}
        />
        <Field
          label="SMS par jour et par pays"
          name="perCountryAndDay"
          inputMode="numeric"
          hint="Vers chaque pays"
          value={draft.perCountryAndDay}
          error={errors.perCountryAndDay}
          onChange={({ target }) => change({ perCountryAndDay: target.value })}
        />
      </div>
      <CheckField
        label="Prévenir par SMS quand une demande est traitée"
        hint="Un SMS de plus par demande, compté dans les plafonds ; au plafond, il ne part pas."
        checked={draft.onDecision}
        onChange={({ target }) => change({ onDecision: target.checked })}
      />
      <Button type="submit" className="sm:self-end" busy={busy}>
        {busy ? 'Enregistrement...' : 'Enregistrer'}
      </Button>
    </SavedSection>
  );
}

/** The settings in the form; numbers are text. */
interface TypedSmsSettings {
  perDay: string;
  perCountryAndDay: string;
  onDecision: boolean;
}

const typedSettings = ({ perDay, perCountryAndDay, onDecision }: SmsSettings): TypedSmsSettings => ({
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

function useSaveSmsSettings(copy: DraftCopy<SmsSettings, TypedSmsSettings>) {
  const call = useCall();
  return useSaveEdited(copy, {
    read: readSms,
    toSend: (draft): Reading<Omit<SmsSettings, 'updatedAt'>> => {
      const [perDay, perCountryAndDay] = [readCap(draft.perDay), readCap(draft.perCountryAndDay)];
      if (perDay !== undefined && perCountryAndDay !== undefined)
        return { data: { perDay, perCountryAndDay, onDecision: draft.onDecision } };
      const errors = {
        ...(perDay === undefined && { perDay: smsCapMessage }),
        ...(perCountryAndDay === undefined && { perCountryAndDay: smsCapMessage }),
      };
      return { errors };
    },
    write: saveSmsSettings,
    store: (body) => call(saveSmsSettings, { body }),
    saved: 'Réglages enregistrés',
    failure: { fallback: "Les réglages n'ont pas pu être enregistrés." },
  });
}

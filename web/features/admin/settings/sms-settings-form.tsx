import type { SmsSettings } from '#contract/sms.ts';
import { CheckField } from '#web/features/admin/shared/check-field.tsx';
import { useDraft } from '#web/features/admin/shared/use-draft.ts';
import { formatCount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { SectionCard } from './section-card.tsx';
import { type TypedSmsSettings, typedSettings, useSaveSmsSettings } from './use-save-sms-settings.ts';

/** Daily caps, and the switch for SMS about decisions. */
export function SmsSettingsForm({ stored }: { stored: SmsSettings }) {
  const copy = useDraft(stored, typedSettings);
  const { form, errors, setErrors, busy } = useSaveSmsSettings(copy);
  const { draft } = copy;
  const change = (fields: Partial<TypedSmsSettings>) => {
    setErrors({});
    copy.change((before) => ({ ...before, ...fields }));
  };
  return (
    <SectionCard
      title="Réglages"
      about="Au plafond, plus aucun code ne part jusqu’à minuit (UTC) : inscriptions et réinitialisations attendent."
      copy={copy}
      form={form}
      theirs={
        <p>
          Sa version : {formatCount(stored.perDay)} par jour, {formatCount(stored.perCountryAndDay)} par pays, SMS aux
          demandes traitées : {stored.onDecision ? 'oui' : 'non'}.
        </p>
      }
      foot={
        <Button type="submit" className="sm:self-end" busy={busy}>
          {busy ? 'Enregistrement...' : 'Enregistrer'}
        </Button>
      }
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
    </SectionCard>
  );
}

import type { PaymentType } from '#contract/payment-types.ts';
import { countries } from '#contract/phone.ts';
import { ChangedNotice } from '#web/features/admin/shared/changed-notice.tsx';
import { ImageField } from '#web/features/admin/shared/image-field.tsx';
import { useDraft, type Versioned } from '#web/features/admin/shared/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { CountriesField } from './countries-field.tsx';
import { IconField } from './icon-field.tsx';
import { type PaymentTypeDraft, useSavePaymentType } from './use-save-payment-type.ts';

type Stored = Pick<PaymentType, 'name' | 'operator' | 'icon' | 'pictureUrl' | 'countries'> & Versioned;
const nothing: Stored = { name: '', operator: null, icon: null, pictureUrl: null, countries: [], updatedAt: null };

const draftOf = ({ name, operator, icon, pictureUrl, countries }: Stored): PaymentTypeDraft => ({
  name,
  operator: operator ?? '',
  icon: icon ?? '',
  image: pictureUrl,
  countries,
});

const namesOf = (codes: readonly string[]) =>
  countries.filter(({ code }) => codes.includes(code)).map(({ name }) => name);

/** Creates a payment type, or changes the given one. */
export function PaymentTypeDialog({ type, onClose }: { type: PaymentType | undefined; onClose: () => void }) {
  const stored = type ?? nothing;
  const copy = useDraft(stored, draftOf);
  const { name, operator, icon, image, countries: chosen } = copy.draft;
  const change = (fields: Partial<PaymentTypeDraft>) => copy.change((before) => ({ ...before, ...fields }));
  const { form, errors, busy } = useSavePaymentType({ type, copy, onSaved: onClose });
  return (
    <Dialog wide title={type ? `Modifier «\u00a0${type.name}\u00a0»` : 'Nouveau type de paiement'} onClose={onClose}>
      <form {...form} className="mt-4 flex flex-col gap-6">
        <div className="grid grid-cols-1 items-start gap-x-8 gap-y-5 md:grid-cols-2">
          <div className="flex flex-col gap-5">
            <Field
              label="Nom"
              required
              error={errors.name}
              value={name}
              onChange={({ target }) => change({ name: target.value })}
            />
            <Field
              label="Opérateur (facultatif)"
              hint={`Les visiteurs liront\u00a0: «\u00a0Composez ce code depuis votre SIM ${operator.trim() || 'Orange'} pour payer.\u00a0»`}
              error={errors.operator}
              value={operator}
              onChange={({ target }) => change({ operator: target.value })}
            />
            <IconField icon={icon} error={errors.icon} onChange={(typed) => change({ icon: typed })} />
          </div>
          <div className="flex flex-col gap-5">
            <ImageField label="Image" image={image} onChange={(chosen) => change({ image: chosen })} />
            <CountriesField chosen={chosen} onChange={(codes) => change({ countries: codes })} />
          </div>
        </div>
        {copy.changedByOther && (
          <ChangedNotice onTakeTheirs={copy.takeTheirs} onKeepMine={copy.keepMine}>
            <p className="wrap-anywhere">
              Sa version&nbsp;: {[stored.name, stored.operator, stored.icon].filter(Boolean).join(', ')},{' '}
              {stored.pictureUrl ? 'une image' : 'sans image'},{' '}
              {namesOf(stored.countries).join(', ') || 'tous les pays'}.
            </p>
          </ChangedNotice>
        )}
        <div className="flex flex-wrap justify-end gap-2.5">
          <Button variant="plain" className="grow sm:grow-0" onClick={onClose}>
            Annuler
          </Button>
          <Button type="submit" className="grow sm:grow-0" disabled={!name.trim()} busy={busy}>
            {type ? 'Enregistrer' : 'Créer'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

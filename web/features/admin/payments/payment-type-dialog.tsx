import { type FormEvent, useState } from 'react';
import type { PaymentType } from '#contract/payment-types.ts';
import { ImageField } from '#web/features/admin/shared/image-field.tsx';
import { useAction } from '#web/forms/use-action.ts';
import { useFormErrors } from '#web/forms/use-form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { CountriesField } from './countries-field.tsx';
import { IconField } from './icon-field.tsx';
import { useSavePaymentType } from './use-save-payment-type.ts';

/** Creates a payment type, or changes the one that is given, as it was when the dialog opened. */
export function PaymentTypeDialog({ type, onClose }: { type: PaymentType | undefined; onClose: () => void }) {
  const [name, setName] = useState(type?.name ?? '');
  const [operator, setOperator] = useState(type?.operator ?? '');
  const [icon, setIcon] = useState(type?.icon ?? '');
  const [image, setImage] = useState<string | File | null>(type?.pictureUrl ?? null);
  const [countries, setCountries] = useState(type?.countries ?? []);
  const { form, errors, setErrors } = useFormErrors();
  const saving = useSavePaymentType({ type, onErrors: setErrors, onStored: setImage });
  const save = useAction(async () => {
    if (await saving({ name, operator, icon, image, countries })) onClose();
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    setErrors({});
    void save.run();
  };
  return (
    <Dialog wide title={type ? `Modifier «\u00a0${type.name}\u00a0»` : 'Nouveau type de paiement'} onClose={onClose}>
      <form ref={form} onSubmit={onSubmit} noValidate className="mt-4 flex flex-col gap-6">
        <div className="grid grid-cols-1 items-start gap-x-8 gap-y-5 md:grid-cols-2">
          <div className="flex flex-col gap-5">
            <Field
              label="Nom"
              required
              error={errors.name}
              value={name}
              onChange={(event) => setName(event.target.value)}
            />
            <Field
              label="Opérateur (facultatif)"
              hint={`Les visiteurs liront\u00a0: «\u00a0Composez ce code depuis votre SIM ${operator.trim() || 'Orange'} pour payer.\u00a0»`}
              error={errors.operator}
              value={operator}
              onChange={(event) => setOperator(event.target.value)}
            />
            <IconField icon={icon} error={errors.icon} onChange={setIcon} />
          </div>
          <div className="flex flex-col gap-5">
            <ImageField label="Image" image={image} onChange={setImage} />
            <CountriesField chosen={countries} onChange={setCountries} />
          </div>
        </div>
        <div className="flex flex-wrap justify-end gap-2.5">
          <Button variant="plain" className="grow sm:grow-0" onClick={onClose}>
            Annuler
          </Button>
          <Button type="submit" className="grow sm:grow-0" disabled={!name.trim()} busy={save.busy}>
            {type ? 'Enregistrer' : 'Créer'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

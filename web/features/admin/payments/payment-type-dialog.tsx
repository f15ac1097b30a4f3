import { useState } from 'react';
import {
  createPaymentType,
  listPaymentTypes,
  type PaymentType,
  updatePaymentType,
  uploadPaymentTypePicture,
} from '#contract/payment-types.ts';
import { type CountryCode, countries } from '#contract/phone.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { ImageField } from '#web/features/admin/shared/image-field.tsx';
import { serverErrors } from '#web/forms/read-form.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';

/** The values of the form; an image not yet uploaded is a file. */
interface Draft {
  name: string;
  operator: string;
  icon: string;
  image: string | File | null;
  countries: readonly CountryCode[];
}

export function PaymentTypeDialog({ type, onClose }: { type: PaymentType | undefined; onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>({
    name: type?.name ?? '',
    operator: type?.operator ?? '',
    icon: type?.icon ?? '',
    image: type?.pictureUrl ?? null,
    countries: type?.countries ?? [],
  });
  const change = (fields: Partial<Draft>) => setDraft((before) => ({ ...before, ...fields }));
  const { name, operator, icon, image, countries: chosen } = draft;
  const { form, errors, busy } = useSavePaymentType({ type, draft, change, onClose });
  return (
    <Dialog wide title={type ? `Modifier «\u00a0${type.name}\u00a0»` : 'Nouveau type de paiement'} onClose={onClose}>
      <form {...form} className="mt-4 flex flex-col gap-6">
        <div className="grid grid-cols-1 items-start gap-x-8 gap-y-5 md:grid-cols-2 short:grid-cols-2">
          <div className="flex flex-col gap-5">
            <Field
              label="Nom *"
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
            <Field
              label="Icône"
              placeholder="💳"
              hint="Un emoji, affiché quand il n'y a pas d'image."
              list="payment-icons"
              error={errors.icon}
              value={icon}
              onChange={({ target }) => change({ icon: target.value })}
            />
            {/* Emojis are hard to type on a computer. */}
            <datalist id="payment-icons">
              <option value="📱">Téléphone</option>
              <option value="💵">Billets</option>
              <option value="🏦">Banque</option>
              <option value="🌊">Vague</option>
              <option value="🟠">Rond orange</option>
            </datalist>
          </div>
          <div className="flex flex-col gap-5">
            <ImageField label="Image" image={image} onChange={(chosen) => change({ image: chosen })} />
            <CountriesField chosen={chosen} onChange={(codes) => change({ countries: codes })} />
          </div>
        </div>
        <DialogFoot busy={busy} disabled={!type && !name.trim()} onCancel={onClose}>
          {type ? 'Enregistrer' : 'Créer'}
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** The form of a payment type: uploads the image, then saves. */
function useSavePaymentType({
  type,
  draft,
  change,
  onClose,
}: {
  /** The type to change; undefined creates one. */
  type: PaymentType | undefined;
  draft: Draft;
  change: (fields: Partial<Draft>) => void;
  onClose: () => void;
}) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();

  const store = async (file: File) => {
    const { url } = await call(uploadPaymentTypePicture, { file });
    // Another try does not repeat the upload.
    change({ image: url });
    return url;
  };

  return useForm<Draft>({
    read: () => (draft.name.trim() ? { data: draft } : { errors: { name: 'Le nom du type de paiement est requis.' } }),
    send: async ({ name, operator, icon, image, countries }) => {
      const body = {
        name: name.trim(),
        pictureUrl: image instanceof File ? await store(image) : image,
        icon: icon.trim() || null,
        operator: operator.trim() || null,
        countries: [...countries],
      };
      if (type)
        await call(updatePaymentType, {
          params: { id: String(type.id) },
          body: { ...body, expectedUpdatedAt: type.updatedAt },
        });
      else await call(createPaymentType, { body });
      toast({
        title: type ? 'Type de paiement mis à jour' : 'Type de paiement créé',
        description: type
          ? `«\u00a0${body.name}\u00a0» est enregistré.`
          : `«\u00a0${body.name}\u00a0» est proposé dès maintenant.`,
      });
      onClose();
    },
    failure: (error) => {
      const fallback = type
        ? 'Impossible de modifier le type de paiement.'
        : 'Impossible de créer le type de paiement.';
      toastFailure(error, { fallback });
      // The list is read again, with what another administrator made of it.
      if (hasCode(error, 'CHANGED_MEANWHILE')) onClose();
      return hasCode(error, 'PAYMENT_TYPE_TAKEN') ? { name: error.failure.message ?? '' } : serverErrors(error);
    },
    after: () => refresh(listPaymentTypes),
  });
}

function CountriesField({
  chosen,
  onChange,
}: {
  chosen: readonly CountryCode[];
  onChange: (chosen: CountryCode[]) => void;
}) {
  const codes = countries.map(({ code }) => code as CountryCode);
  return (
    <fieldset className="min-w-0">
      <legend className="font-semibold text-sm">Pays</legend>
      <p className="text-soft text-sm">Aucun coché&nbsp;: proposé dans tous les pays.</p>
      <div className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))]">
        {countries.map(({ code, flag, name }) => (
          <label key={code} className="flex min-h-11 items-center gap-2.5">
            <input
              type="checkbox"
              className="size-5 shrink-0 accent-leaf"
              checked={chosen.some((each) => each === code)}
              onChange={({ target: { checked } }) =>
                onChange(codes.filter((each) => (each === code ? checked : chosen.includes(each))))
              }
            />
            <span>
              <span aria-hidden="true">{flag}</span> {name}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

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
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { type DraftCopy, useDraft, useSaveForm, type Versioned } from '#web/features/admin/shared/draft.tsx';
import { ImageField } from '#web/features/admin/shared/image-field.tsx';
import { serverErrors } from '#web/forms/read-form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';

type Stored = Pick<PaymentType, 'name' | 'operator' | 'icon' | 'pictureUrl' | 'countries'> & Versioned;
const nothing: Stored = { name: '', operator: null, icon: null, pictureUrl: null, countries: [], updatedAt: null };

const draftOf = ({ name, operator, icon, pictureUrl, countries }: Stored): PaymentTypeDraft => ({
  name,
  operator: operator ?? '',
  icon: icon ?? '',
  image: pictureUrl,
  countries,
});

export function PaymentTypeDialog({ type, onClose }: { type: PaymentType | undefined; onClose: () => void }) {
  const stored = type ?? nothing;
  const copy = useDraft(stored, draftOf);
  const { name, operator, icon, image, countries: chosen } = copy.draft;
  const change = (fields: Partial<PaymentTypeDraft>) => copy.change((before) => ({ ...before, ...fields }));
  const { form, errors, busy, question } = useSavePaymentType({ type, copy, onSaved: onClose });
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
            <IconField icon={icon} error={errors.icon} onChange={(typed) => change({ icon: typed })} />
          </div>
          <div className="flex flex-col gap-5">
            <ImageField label="Image" image={image} onChange={(chosen) => change({ image: chosen })} />
            <CountriesField chosen={chosen} onChange={(codes) => change({ countries: codes })} />
          </div>
        </div>
        {question}
        <DialogFoot busy={busy} disabled={!type && !name.trim()} onCancel={onClose}>
          {type ? 'Enregistrer' : 'Créer'}
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** The values of the form; an image not yet uploaded is a file. */
interface PaymentTypeDraft {
  name: string;
  operator: string;
  icon: string;
  image: string | File | null;
  countries: CountryCode[];
}

/** The form of a payment type: uploads the image, then saves. */
function useSavePaymentType({
  type,
  copy: { draft, change, expectedUpdatedAt, reload },
  onSaved,
}: {
  /** The type to change; undefined creates one. */
  type: PaymentType | undefined;
  copy: Pick<DraftCopy<Versioned, PaymentTypeDraft>, 'draft' | 'change' | 'expectedUpdatedAt' | 'reload'>;
  onSaved: () => void;
}) {
  const call = useCall();

  const store = async (file: File) => {
    const { url } = await call(uploadPaymentTypePicture, { file });
    // Another try does not repeat the upload.
    change((before) => ({ ...before, image: url }));
    return url;
  };

  return useSaveForm<PaymentTypeDraft>({
    read: () => (draft.name.trim() ? { data: draft } : { errors: { name: 'Le nom du type de paiement est requis.' } }),
    send: async ({ name, operator, icon, image, countries }, version) => {
      const body = {
        name: name.trim(),
        pictureUrl: image instanceof File ? await store(image) : image,
        icon: icon.trim() || null,
        operator: operator.trim() || null,
        countries,
      };
      if (type) await call(updatePaymentType, { params: { id: String(type.id) }, body: { ...body, ...version } });
      else await call(createPaymentType, { body });
      onSaved();
      return {
        title: type ? 'Type de paiement mis à jour' : 'Type de paiement créé',
        description: type
          ? `«\u00a0${body.name}\u00a0» est enregistré.`
          : `«\u00a0${body.name}\u00a0» est proposé dès maintenant.`,
      };
    },
    expectedUpdatedAt,
    write: { endpoint: updatePaymentType, target: type?.id },
    failure: {
      fallback: type ? 'Impossible de modifier le type de paiement.' : 'Impossible de créer le type de paiement.',
    },
    errorsOf: (error) =>
      hasCode(error, 'PAYMENT_TYPE_TAKEN') ? { name: error.failure.message ?? '' } : serverErrors(error),
    refetch: listPaymentTypes,
    onReload: reload,
  });
}

const example = '💳';

/** Emojis are hard to type on a computer. */
const suggestions = [
  ['📱', 'Téléphone'],
  ['💵', 'Billets'],
  ['🪙', 'Pièces'],
  ['🏦', 'Banque'],
  ['🌊', 'Vague'],
  ['🟠', 'Rond orange'],
] as const;

function IconField({
  icon,
  error,
  onChange,
}: {
  icon: string;
  error?: string | undefined;
  onChange: (icon: string) => void;
}) {
  return (
    <div className="flex flex-col gap-1.5">
      <Field
        label="Icône"
        placeholder={example}
        hint="Un emoji, affiché quand il n'y a pas d'image."
        error={error}
        value={icon}
        onChange={(event) => onChange(event.target.value)}
      />
      <fieldset className="flex min-w-0 flex-wrap gap-1.5">
        <legend className="sr-only">Icônes proposées</legend>
        {suggestions.map(([emoji, words]) => (
          <button
            key={emoji}
            type="button"
            aria-label={words}
            aria-pressed={icon === emoji}
            onClick={() => onChange(icon === emoji ? '' : emoji)}
            className={join(
              'flex size-11 items-center justify-center rounded-xl border text-xl',
              icon === emoji ? 'border-leaf bg-leaf-pale' : 'border-line hover:bg-ground',
            )}
          >
            {emoji}
          </button>
        ))}
      </fieldset>
    </div>
  );
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

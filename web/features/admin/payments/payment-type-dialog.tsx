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
import { draftFields, useDraft, useSaveForm, type Versioned } from '#web/features/admin/shared/draft.tsx';
import { EditDialog } from '#web/features/admin/shared/edit-dialog.tsx';
import { ImageField } from '#web/features/admin/shared/image-field.tsx';
import { type Reading, serverErrors } from '#web/forms/read-form.ts';
import { Field } from '#web/ui/field.tsx';

/** The values of the form; an image not yet uploaded is a file. */
interface Draft {
  name: string;
  operator: string;
  icon: string;
  image: string | File | null;
  countries: readonly CountryCode[];
}

const nothing: Versioned = { updatedAt: null };
function draftOf(stored: PaymentType | Versioned): Draft {
  if (!('id' in stored)) return { name: '', operator: '', icon: '', image: null, countries: [] };
  const { name, operator, icon, pictureUrl, countries: chosen } = stored;
  return { name, operator: operator ?? '', icon: icon ?? '', image: pictureUrl, countries: chosen };
}

/** The form of a payment type; without one, of a new one. */
export function PaymentTypeDialog({ type, onClose }: { type: PaymentType | undefined; onClose: () => void }) {
  const call = useCall();
  const copy = useDraft<PaymentType | Versioned, Draft>(type ?? nothing, draftOf);
  const { name, operator, image, countries: chosen } = copy.draft;
  const change = (fields: Partial<Draft>) => copy.change((before) => ({ ...before, ...fields }));
  const { form, errors, busy, question } = useSaveForm({
    read: (): Reading<Draft> =>
      name.trim() ? { data: copy.draft } : { errors: { name: 'Le nom du type de paiement est requis.' } },
    send: async (draft, version) => {
      let pictureUrl = draft.image;
      if (pictureUrl instanceof File) {
        pictureUrl = (await call(uploadPaymentTypePicture, { file: pictureUrl })).url;
        // Another try does not repeat the upload.
        change({ image: pictureUrl });
      }
      const body = {
        name: draft.name.trim(),
        pictureUrl,
        icon: draft.icon.trim() || null,
        operator: draft.operator.trim() || null,
        countries: [...draft.countries],
      };
      if (type) await call(updatePaymentType, { params: { id: String(type.id) }, body: { ...body, ...version } });
      else await call(createPaymentType, { body });
      onClose();
      const title = type ? 'Type de paiement mis à jour' : 'Type de paiement créé';
      return {
        title,
        description: `«\u00a0${body.name}\u00a0» est ${type ? 'enregistré' : 'proposé dès maintenant'}.`,
      };
    },
    expectedUpdatedAt: copy.expectedUpdatedAt,
    write: { endpoint: updatePaymentType, target: type?.id },
    failure: { fallback: `Impossible de ${type ? 'modifier' : 'créer'} le type de paiement.` },
    errorsOf: (error) =>
      hasCode(error, 'PAYMENT_TYPE_TAKEN') ? { name: error.failure.message ?? '' } : serverErrors(error),
    refetch: listPaymentTypes,
    onReload: copy.reload,
  });
  const fields = draftFields(copy.draft, errors, change);
  return (
    <EditDialog
      title={type ? `Modifier «\u00a0${type.name}\u00a0»` : 'Nouveau type de paiement'}
      save={type ? 'Enregistrer' : 'Créer'}
      disabled={!type && !name.trim()}
      form={form}
      unsaved={copy.unsaved}
      busy={busy}
      bodyClass="grid content-start items-start gap-x-8 gap-y-5 pb-5 md:grid-cols-2 short:grid-cols-2"
      question={question}
      onClose={onClose}
    >
      <div className="flex flex-col gap-5">
        <Field label="Nom *" required {...fields.text('name')} />
        <Field
          label="Opérateur (facultatif)"
          hint={`Les visiteurs liront\u00a0: «\u00a0Composez ce code depuis votre SIM ${operator.trim() || 'Orange'} pour payer.\u00a0»`}
          {...fields.text('operator')}
        />
        <Field
          label="Icône"
          placeholder="💳"
          hint="Un emoji, affiché quand il n'y a pas d'image."
          list="payment-icons"
          {...fields.text('icon')}
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
        <ImageField label="Image" image={image} onChange={(picked) => change({ image: picked })} />
        <fieldset className="min-w-0">
          <legend className="font-semibold text-sm">Pays</legend>
          <p className="text-soft text-sm">Aucun coché&nbsp;: proposé dans tous les pays.</p>
          <div className="mt-1 grid grid-cols-[repeat(auto-fill,minmax(min(10rem,100%),1fr))]">
            {countries.map(({ code, flag, name: country }) => (
              <label key={code} className="flex min-h-11 items-center gap-2.5">
                <input
                  type="checkbox"
                  className="size-5 shrink-0 accent-leaf"
                  checked={chosen.some((each) => each === code)}
                  onChange={({ target: { checked } }) =>
                    change({
                      countries: countries
                        .map((each) => each.code as CountryCode)
                        .filter((each) => (each === code ? checked : chosen.includes(each))),
                    })
                  }
                />
                <span>
                  <span aria-hidden="true">{flag}</span> {country}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      </div>
    </EditDialog>
  );
}

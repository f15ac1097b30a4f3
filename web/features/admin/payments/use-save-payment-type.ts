import {
  createPaymentType,
  listPaymentTypes,
  type PaymentType,
  updatePaymentType,
  uploadPaymentTypePicture,
} from '#contract/payment-types.ts';
import type { CountryCode } from '#contract/phone.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import type { DraftCopy, Versioned } from '#web/features/admin/shared/use-draft.ts';
import { serverErrors } from '#web/forms/read-form.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useToast } from '#web/ui/toast.tsx';

/** The values of the form; an image not yet uploaded is a file. */
export interface PaymentTypeDraft {
  name: string;
  operator: string;
  icon: string;
  image: string | File | null;
  countries: CountryCode[];
}

/** The form of a payment type: uploads the image, then saves. */
export function useSavePaymentType({
  type,
  copy: { draft, change, expectedUpdatedAt },
  onSaved,
}: {
  /** The type to change; undefined creates one. */
  type: PaymentType | undefined;
  copy: Pick<DraftCopy<Versioned, PaymentTypeDraft>, 'draft' | 'change' | 'expectedUpdatedAt'>;
  onSaved: () => void;
}) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();

  const store = async (file: File) => {
    const { url } = await call(uploadPaymentTypePicture, { file });
    // Another try does not repeat the upload.
    change((before) => ({ ...before, image: url }));
    return url;
  };

  return useForm({
    read: () => ({ data: draft }),
    send: async ({ name, operator, icon, image, countries }) => {
      const body = {
        name: name.trim(),
        pictureUrl: image instanceof File ? await store(image) : image,
        icon: icon.trim() || null,
        operator: operator.trim() || null,
        countries,
      };
      if (type)
        await call(updatePaymentType, { params: { id: String(type.id) }, body: { ...body, expectedUpdatedAt } });
      else await call(createPaymentType, { body });
      toast({
        title: type ? 'Type de paiement mis à jour' : 'Type de paiement créé',
        description: type
          ? `«\u00a0${body.name}\u00a0» est enregistré.`
          : `«\u00a0${body.name}\u00a0» est proposé dès maintenant.`,
      });
      void refresh(listPaymentTypes);
      onSaved();
    },
    failure: (error) => {
      const isStale = hasCode(error, 'CHANGED_MEANWHILE');
      toastFailure(error, {
        ...(isStale && { title: 'Non enregistré' }),
        fallback: type ? 'Impossible de modifier le type de paiement.' : 'Impossible de créer le type de paiement.',
      });
      if (isStale) void refresh(listPaymentTypes);
      return hasCode(error, 'PAYMENT_TYPE_TAKEN') ? { name: error.failure.message ?? '' } : serverErrors(error);
    },
  });
}

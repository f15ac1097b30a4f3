import { deletePaymentType, listPaymentTypes, type PaymentType, updatePaymentType } from '#contract/payment-types.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { type Toast, useToast } from '#web/ui/toast.tsx';

/**
 * Changes of a payment type without a form, reported in a toast. Each resolves after the list is read again, with its
 * success.
 */
export function useChangePaymentType() {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();

  const change = async (write: () => Promise<unknown>, done: Toast, fallback: string): Promise<boolean> => {
    let isDone = false;
    try {
      await write();
      toast(done);
      isDone = true;
    } catch (error) {
      toastFailure(error, { fallback });
    }
    await refresh(listPaymentTypes);
    return isDone;
  };
  const paramsOf = ({ id }: PaymentType) => ({ params: { id: String(id) } });

  return {
    setActive: (type: PaymentType, isActive: boolean) =>
      change(
        () => call(updatePaymentType, { ...paramsOf(type), body: { isActive, expectedUpdatedAt: type.updatedAt } }),
        {
          title: 'Type de paiement mis à jour',
          description: `«\u00a0${type.name}\u00a0» est maintenant ${isActive ? 'actif' : 'inactif'}.`,
        },
        'Impossible de modifier le type de paiement.',
      ),
    remove: (type: PaymentType) =>
      change(
        () => call(deletePaymentType, paramsOf(type)),
        { title: 'Type de paiement supprimé', description: `«\u00a0${type.name}\u00a0» n’est plus proposé.` },
        'Impossible de supprimer le type de paiement.',
      ),
  };
}

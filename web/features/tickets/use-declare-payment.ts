import { declarePayment, listUserTickets, readOwnTicket } from '#contract/tickets.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useReplaceRows } from '#web/api/use-list.ts';
import { type FieldErrors, serverErrors } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useToast } from '#web/ui/toast.tsx';

/** Declares a ticket paid by a transaction. A retry after a lost answer is the same declaration. */
export function useDeclarePayment(
  id: number,
  { onDone, onErrors }: { onDone: () => void; onErrors: (errors: FieldErrors) => void },
) {
  const call = useCall();
  const refresh = useRefresh();
  const replace = useReplaceRows(listUserTickets);
  const toast = useToast();
  const toastFailure = useFailureToast();
  return useAction(async (reference?: string) => {
    try {
      const body = reference ? { reference } : {};
      replace([await call(declarePayment, { params: { id: String(id) }, body })]);
      onDone();
      toast({ title: 'Paiement déclaré', description: 'Votre demande reste en attente de vérification.' });
    } catch (error) {
      const errors = serverErrors(error);
      onErrors(errors);
      if (Object.keys(errors).length === 0)
        toastFailure(error, { fallback: 'Le paiement n’a pas pu être déclaré. Réessayez.' });
      if (!hasCode(error, 'TICKET_DECIDED')) return;
      onDone();
    }
    await refresh(listUserTickets, readOwnTicket);
  });
}

import { declarePayment, listUserTickets, paymentDeclaration, readOwnTicket } from '#contract/tickets.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useReplaceRows } from '#web/api/use-list.ts';
import { readForm, serverErrors } from '#web/forms/read-form.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useToast } from '#web/ui/toast.tsx';

/** The form that declares a ticket paid by a transaction. A retry after a lost answer is the same declaration. */
export function useDeclarePayment(id: number, { known, onDone }: { known: string; onDone: () => void }) {
  const call = useCall();
  const refresh = useRefresh();
  const replace = useReplaceRows(listUserTickets);
  const toast = useToast();
  const toastFailure = useFailureToast();
  return useForm({
    read: (values) => {
      const read = readForm(paymentDeclaration, values);
      const isEmptied = known !== '' && read.data && !read.data.reference;
      return isEmptied ? { errors: { reference: 'Saisissez la référence qui remplace la précédente.' } } : read;
    },
    send: async ({ reference }) => {
      const body = reference ? { reference } : {};
      replace([await call(declarePayment, { params: { id: String(id) }, body })]);
      onDone();
      toast({ title: 'Paiement déclaré', description: 'Votre demande reste en attente de vérification.' });
      await refresh(listUserTickets, readOwnTicket);
    },
    failure: (error) => {
      const errors = serverErrors(error);
      if (Object.keys(errors).length === 0)
        toastFailure(error, { fallback: 'Le paiement n’a pas pu être déclaré. Réessayez.' });
      if (hasCode(error, 'TICKET_DECIDED')) {
        onDone();
        void refresh(listUserTickets, readOwnTicket);
      }
      return errors;
    },
  });
}

import { useState } from 'react';
import { declarePayment, listUserTickets, paymentDeclaration, readOwnTicket, type Ticket } from '#contract/tickets.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useReplaceRows } from '#web/api/use-list.ts';
import { readForm, serverErrors } from '#web/forms/read-form.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';

/** Asks for the transaction that paid a ticket. A declaration is no proof: an administrator decides. */
export function PaymentDialog({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  // The declared reference on opening: polls do not change typed text.
  const [known] = useState(ticket.paymentReference ?? '');
  const { form, errors, busy } = useDeclarePayment(ticket.id, { known, onDone: onClose });
  return (
    <Dialog title="J’ai payé" onClose={onClose}>
      <form {...form} className="mt-2 flex flex-col gap-4">
        <p className="text-soft">
          Ticket n° {ticket.id}. Un administrateur vérifie votre paiement ; la demande reste en attente jusque-là.
        </p>
        <Field
          label="Référence de la transaction (dans le SMS de votre opérateur)"
          name="reference"
          defaultValue={known}
          hint="Facultatif, mais votre paiement est retrouvé plus vite."
          error={errors.reference}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="send"
        />
        <div className="flex flex-wrap gap-2.5">
          <Button variant="plain" className="flex-1" onClick={onClose}>
            Annuler
          </Button>
          <Button type="submit" busy={busy} className="flex-1 basis-40">
            {busy ? 'Envoi...' : 'Déclarer le paiement'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** The form that declares a ticket paid by a transaction. A retry after a lost answer is the same declaration. */
function useDeclarePayment(id: number, { known, onDone }: { known: string; onDone: () => void }) {
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

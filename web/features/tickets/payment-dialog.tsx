import { type FormEvent, useState } from 'react';
import { paymentDeclaration, type Ticket } from '#contract/tickets.ts';
import { formValues, readForm } from '#web/forms/read-form.ts';
import { useFormErrors } from '#web/forms/use-form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { useDeclarePayment } from './use-declare-payment.ts';

/** Asks for the transaction that paid a ticket. A declaration is no proof: an administrator decides. */
export function PaymentDialog({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const { form, errors, setErrors } = useFormErrors();
  // The declared reference on opening: polls do not change typed text.
  const [known] = useState(ticket.paymentReference ?? '');
  const declare = useDeclarePayment(ticket.id, { onDone: onClose, onErrors: setErrors });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const { data, errors: wrong } = readForm(paymentDeclaration, formValues(event.currentTarget));
    const isEmptied = known !== '' && data && !data.reference;
    setErrors(wrong ?? (isEmptied ? { reference: 'Saisissez la référence qui remplace la précédente.' } : {}));
    if (data && !isEmptied) void declare.run(data.reference || undefined);
  };
  return (
    <Dialog title="J’ai payé" onClose={onClose}>
      <form ref={form} onSubmit={onSubmit} noValidate className="mt-2 flex flex-col gap-4">
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
          <Button type="submit" busy={declare.busy} className="flex-1 basis-40">
            {declare.busy ? 'Envoi...' : 'Déclarer le paiement'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

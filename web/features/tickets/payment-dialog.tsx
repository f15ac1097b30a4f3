import { useState } from 'react';
import type { Ticket } from '#contract/tickets.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { useDeclarePayment } from './use-declare-payment.ts';

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

import type { ReactNode } from 'react';
import { isFree } from '#contract/pricing.ts';
import type { Ticket } from '#contract/tickets.ts';
import { CheckIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { DeclaredSince, Since, UsualTime } from './decision-time.tsx';
import { FoldedCode, isWithheld } from './ticket-code.tsx';

/** 'J'ai payé' on a pending ticket that costs something and was not declared. */
export function PaymentAction({ ticket, onOpen }: { ticket: Ticket; onOpen: () => void }) {
  if (ticket.paymentDeclaredAt || isFree(Number(ticket.totalPrice), ticket.servicePath)) return null;
  return (
    <Button variant="outline" tight onClick={onOpen}>
      <span>
        J'ai payé
        <OfTicket id={ticket.id} />
      </span>
    </Button>
  );
}

/** What is left to do with a code, in the order of doing it; nothing where there is none to pay by. */
export function PaySteps({ ticket: { dialCode, totalPrice } }: { ticket: Ticket }) {
  if (!dialCode || isWithheld(dialCode) || Number(totalPrice) === 0) return null;
  return (
    <ol className="flex list-decimal flex-col gap-0.5 pl-5 text-small text-soft leading-snug">
      <li>{/[*#]/.test(dialCode) ? 'Composez le code sur votre téléphone.' : 'Appelez ce numéro.'}</li>
      <li>Confirmez le paiement.</li>
      <li>Touchez «&nbsp;J'ai payé&nbsp;»&nbsp;: votre demande reste en attente de vérification.</li>
    </ol>
  );
}

/** That a payment was declared, when, and what comes next, in place of the code to dial, which is folded. */
export function DeclaredPayment({
  ticket,
  onOpen,
}: {
  ticket: Ticket & { paymentDeclaredAt: string };
  /** Corrects the reference, on the ticket's own screen. */
  onOpen?: () => void;
}) {
  const { id, paymentDeclaredAt, paymentReference } = ticket;
  return (
    <div>
      <div className="flex gap-2 rounded-xl bg-leaf-pale px-3 py-2.5 leading-snug">
        <CheckIcon className="size-5 shrink-0 text-leaf-dark" />
        <div className="min-w-0">
          <p className="font-semibold text-leaf-dark">
            <DeclaredSince instant={paymentDeclaredAt} />
          </p>
          <p className="text-small text-soft">
            Un administrateur le vérifie <Since instant={paymentDeclaredAt} />
            &nbsp;: vous serez prévenu ici.
            <UsualTime after=" " />
          </p>
          {paymentReference && <p className="wrap-anywhere text-small text-soft">{`Réf. ${paymentReference}`}</p>}
          {onOpen && (
            <Button variant="quiet" tight className="-mb-2.5 -ml-3 text-small" onClick={onOpen}>
              <span>
                <span>{paymentReference ? 'Modifier' : 'Ajouter'}</span> la référence
                <OfTicket id={id} />
              </span>
            </Button>
          )}
        </div>
      </div>
      <FoldedCode ticket={ticket} of={`le code du ticket n°\u00a0${id}`} />
    </div>
  );
}

/** Whether the person said that a ticket is paid. */
export const isDeclared = (ticket: Ticket): ticket is Ticket & { paymentDeclaredAt: string } =>
  ticket.paymentDeclaredAt !== null;

/** Names a button's ticket for screen readers. */
export function OfTicket({ id }: { id: number }): ReactNode {
  return <span className="sr-only">{` (ticket n°\u00a0${id})`}</span>;
}

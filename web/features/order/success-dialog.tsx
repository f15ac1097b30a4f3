import { dialHref } from '#contract/dial-code.ts';
import { listPaymentTypes } from '#contract/payment-types.ts';
import type { Ticket } from '#contract/tickets.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { DialCode } from '#web/dialling/dial-code.tsx';
import { useCopyToast } from '#web/dialling/use-copy-toast.ts';
import { formatTotal } from '#web/text/formats.ts';
import { CheckIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** What to do now that the ticket exists: dial the code. Nothing is called paid before an administrator says so. */
export function SuccessDialog({
  ticket,
  onHome,
  onClose,
}: {
  ticket: Ticket;
  onHome: () => void;
  onClose: () => void;
}) {
  const onCopied = useCopyToast();
  const { data: paymentTypes } = useEndpoint(listPaymentTypes, {}, { freshForMs: freshForMs.paymentTypes, keep: true });
  const operator = paymentTypes?.find(({ id }) => id === ticket.paymentTypeId)?.operator;
  return (
    <Dialog
      title="Demande créée avec succès"
      mark={
        <span className="flex size-10 shrink-0 items-center justify-center rounded-xl bg-leaf-pale text-leaf">
          <CheckIcon />
        </span>
      }
      note={
        <>
          Ticket n° <strong>{ticket.id}</strong> · total{' '}
          <strong className="whitespace-nowrap">{formatTotal(Number(ticket.totalPrice), ticket.servicePath)}</strong>
        </>
      }
      onClose={onClose}
    >
      <div className="mt-3.5 flex flex-col gap-3.5">
        {ticket.dialCode ? (
          <>
            <DialCode code={ticket.dialCode} href={dialHref(ticket.dialCode)} operator={operator} onCopied={onCopied} />
            <p className="text-center text-sm text-soft">Votre demande reste en attente de vérification.</p>
          </>
        ) : (
          <p>Ce service n’a pas de code à composer : un agent traitera votre demande.</p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button variant="quiet" tight className="flex-1" onClick={onHome}>
            Retour à l'accueil
          </Button>
          <Button variant="quiet" tight className="flex-1" onClick={onClose}>
            Fermer
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

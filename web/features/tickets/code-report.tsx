import { useState } from 'react';
import type { CodeProblem } from '#contract/dialling.ts';
import { listUserTickets, readOwnTicket, reportCode, type Ticket } from '#contract/tickets.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useReplaceRows } from '#web/api/use-list.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';

const problems: Record<CodeProblem, string> = {
  'no-answer': "Pas de réponse après l'appel",
  'invalid-code': '«\u00a0Code invalide\u00a0» ou «\u00a0Service inconnu\u00a0»',
  'amount-refused': 'Le montant est refusé',
  other: 'Autre chose',
};

/** 'Ce code ne marche pas' on a pending ticket, once (P9.12). */
export function CodeReport({ ticket }: { ticket: Ticket }) {
  const [isOpen, setOpen] = useState(false);
  if (!ticket.dialCode) return null;
  if (ticket.codeReportedAt)
    return (
      <p role="status" className="basis-full text-center text-small text-soft">
        Code signalé. Nous le vérifions&nbsp;: attendez notre réponse avant de payer autrement.
      </p>
    );
  return (
    <>
      <Button variant="quiet" tight className="px-2! text-small" onClick={() => setOpen(true)}>
        Ce code ne marche pas
      </Button>
      {isOpen && <ReportDialog ticket={ticket} onClose={() => setOpen(false)} />}
    </>
  );
}

function ReportDialog({ ticket: { id, dialOperator }, onClose }: { ticket: Ticket; onClose: () => void }) {
  const call = useCall();
  const replace = useReplaceRows(listUserTickets);
  const [reason, setReason] = useState<CodeProblem>();
  const { form, busy } = useForm<CodeProblem>({
    read: () => (reason ? { data: reason } : { errors: {} }),
    send: async (reason) => {
      replace([await call(reportCode, { params: { id: String(id) }, body: { reason } })]);
      onClose();
      return { title: 'Code signalé', description: 'Un administrateur le vérifie.' };
    },
    failure(error) {
      if (hasCode(error, 'CODE_REPORT_CLOSED')) onClose();
      return { words: { fallback: "Le code n'a pas pu être signalé. Réessayez." } };
    },
    reads: [listUserTickets, readOwnTicket],
  });
  return (
    <Dialog title="Ce code ne marche pas" onClose={onClose}>
      <form {...form} className="mt-2 flex flex-col gap-4">
        {dialOperator && (
          <p className="rounded-xl bg-amber-pale px-3 py-2 text-amber leading-snug">
            {`L'avez-vous composé depuis votre ligne ${dialOperator}\u00a0? Une autre le refuse.`}
          </p>
        )}
        <fieldset className="flex flex-col gap-1">
          <legend className="mb-1 text-soft">Que se passe-t-il quand vous le composez&nbsp;?</legend>
          {Object.entries(problems).map(([value, words]) => (
            <label key={value} className="flex min-h-12 cursor-pointer items-center gap-3">
              <input
                type="radio"
                name="reason"
                className="size-5 shrink-0 accent-leaf"
                checked={reason === value}
                onChange={() => setReason(value as CodeProblem)}
              />
              {words}
            </label>
          ))}
        </fieldset>
        <DialogButtons>
          <Button variant="plain" className="flex-1" onClick={onClose}>
            Annuler
          </Button>
          <Button type="submit" disabled={!reason} busy={busy} className="flex-1 basis-40">
            {busy ? 'Envoi...' : 'Signaler le code'}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

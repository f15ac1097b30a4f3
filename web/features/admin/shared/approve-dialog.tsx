import type { AdminTicket } from '#contract/tickets.ts';
import { formatAmount, formatCount, formatCounted, spaceAmount } from '#web/text/formats.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogFoot } from './confirm-dialog.tsx';
import { deliberate } from './deliberate.ts';
import { Evidence } from './payment-facts.tsx';
import { type Decided, sumOf } from './send-decision.ts';

/** Confirms the approval of several tickets with their number and sum, and one by a payment that is not certain with its doubts. */
export function ApproveDialog({
  tickets,
  pairs = [],
  paidIds = [],
  onConfirm,
  onClose,
}: Pick<Decided, 'tickets' | 'pairs'> & {
  /** Tickets that were shown with a payment that is sure. */
  paidIds?: readonly number[] | undefined;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const [first, ...others] = tickets;
  const isOne = others.length === 0;
  const what = first && isOne ? `la demande n°\u00a0${first.id}` : formatCounted(tickets.length, 'demande');
  const isUnpaid = ({ id, totalPrice, paymentDeclaredAt }: AdminTicket) =>
    Number(totalPrice) > 0 && !paymentDeclaredAt && !paidIds.includes(id);
  const unpaid = pairs.length > 0 ? 0 : tickets.filter(isUnpaid).length;
  const doubts = [...new Set(pairs.flatMap((pair) => pair.doubts))];
  return (
    <Dialog title={`Approuver ${what} · ${spaceAmount(formatAmount(sumOf(tickets)))}\u00a0?`} onClose={onClose}>
      <div className="mt-3 flex flex-col gap-5">
        {doubts.length > 0 && <Evidence evidence={isOne ? (pairs[0]?.evidence ?? []) : []} doubts={doubts} />}
        {unpaid > 0 && (
          <p className="rounded-xl bg-amber-pale px-3 py-2 font-semibold text-amber">
            {`${formatCount(unpaid)} sur ${formatCount(tickets.length)} sans paiement déclaré ni vu.`}
          </p>
        )}
        <p>{isOne ? 'La personne en est avertie.' : 'Chaque personne en est avertie.'}</p>
        <DialogFoot type="button" onCancel={onClose} {...deliberate(onConfirm)}>
          {doubts.length > 0 ? 'Approuver quand même' : 'Approuver'}
        </DialogFoot>
      </div>
    </Dialog>
  );
}

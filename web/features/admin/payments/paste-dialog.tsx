import type { PaymentAccount } from '#contract/payment-feed.ts';
import { pastedLength, type ReadMessage, readMessages, takeMessages } from '#contract/payments.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { TextArea } from '#web/features/admin/shared/fields.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { payerWords } from '#web/features/admin/shared/payment-facts.tsx';
import { formatAmount, formatCount } from '#web/text/formats.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { AccountField, Listed, useReadThenKeep } from './intake.tsx';

/** Pasted SMS, one or many: read first, kept on request. */
export function PasteDialog({ accounts, onClose }: { accounts: readonly PaymentAccount[]; onClose: () => void }) {
  const { form, errors, busy, read } = useReadThenKeep<{ text: string }, ReadMessage[]>({
    check: ({ text = '' }) => (text.trim() ? { data: { text } } : { errors: { text: 'Collez un message.' } }),
    look: async (call, body) => (await call(readMessages, { body })).messages,
    keep: async (call, body) => {
      const { payments, known, ignored, unread } = await call(takeMessages, { body });
      return {
        title: 'SMS gardés',
        description: `${formatCount(payments)} paiement(s), ${formatCount(known)} déjà connu(s), ${formatCount(ignored)} ignoré(s), ${formatCount(unread)} non lu(s).`,
      };
    },
    failure: { fallback: "Les messages n'ont pas pu être lus." },
    onKept: onClose,
  });
  return (
    <Dialog wide title="Coller un SMS" onClose={onClose}>
      <form {...form} className="mt-4 flex flex-col gap-4">
        <AccountField accounts={accounts} error={errors.accountId} />
        <TextArea
          label="Un ou plusieurs SMS"
          name="text"
          rows={6}
          maxLength={pastedLength}
          autoComplete="off"
          spellCheck={false}
          error={errors.text}
          hint="Ils sont d'abord lus, sans rien garder."
        />
        <p role="status" className="sr-only">
          {read && `${formatCount(read.length)} message(s) lu(s)`}
        </p>
        {read && (
          <Listed title="Messages lus">
            {read.map((message, place) => (
              // A message has no other name than its place, and keeps nothing.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <AsRead key={place} message={message} />
            ))}
          </Listed>
        )}
        <DialogFoot busy={busy} onCancel={onClose}>
          {read ? 'Garder' : 'Lire'}
        </DialogFoot>
      </form>
    </Dialog>
  );
}

const kinds: Record<ReadMessage['kind'], { words: string; tone: Tone }> = {
  payment: { words: 'Paiement', tone: 'green' },
  ignored: { words: 'Ignoré', tone: 'grey' },
  unread: { words: 'Non lu', tone: 'amber' },
};

/** A message as it is understood. */
function AsRead({ message }: { message: ReadMessage }) {
  const { kind, why, operator, gross, fee, balanceAfter, reference, ourReference, payer, paidAt } = message;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-2">
      <Badge small tone={kinds[kind].tone}>
        {kinds[kind].words}
      </Badge>
      <span>{why ?? operator ?? (kind === 'unread' && "Gardé pour que vous disiez ce que c'est.")}</span>
      {kind === 'payment' && (
        <>
          {gross !== undefined && <strong className="tabular-nums">{formatAmount(gross)}</strong>}
          {paidAt && <Moment instant={paidAt} />}
          {payer && <span className="tabular-nums">{payerWords(payer)}</span>}
          {reference && <span className="break-all font-mono">{reference}</span>}
          {ourReference !== undefined && <span>{`Ticket nommé\u00a0: n°\u00a0${formatCount(ourReference)}`}</span>}
          {fee !== undefined && <span className="text-soft">{`Frais ${formatAmount(fee / 100)}`}</span>}
          {balanceAfter !== undefined && (
            <span className="text-soft">{`Solde ${formatAmount(balanceAfter / 100)}`}</span>
          )}
        </>
      )}
    </li>
  );
}

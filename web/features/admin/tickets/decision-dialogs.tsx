import { type FormEvent, useRef, useState } from 'react';
import { listRejectReasons } from '#contract/settings.ts';
import { type AdminTicket, rejectReasonLength } from '#contract/tickets.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { deliberate } from '#web/features/admin/shared/deliberate.ts';
import { TextArea } from '#web/features/admin/shared/fields.tsx';
import { Key, useKeys } from '#web/features/admin/shared/keys.tsx';
import { sumOf } from '#web/features/admin/shared/send-decision.ts';
import { formatAmount, formatCount, formatCounted, spaceAmount } from '#web/text/formats.ts';
import { WarningIcon } from '#web/ui/control-icons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { join } from '#web/ui/join.ts';
import { useSurePayment } from './payment-seen.tsx';
import { ownerOf, serviceOf, totalOf } from './ticket-facts.tsx';

/** Asks for the reason of a rejection, which the users read: a canned one, any other, or none. Names payments that were seen. */
export function RejectDialog({
  tickets,
  seen: seenOfMany,
  onReject,
  onClose,
}: {
  tickets: readonly AdminTicket[];
  /** The payments that were seen for several tickets, in francs; that of one is read. */
  seen: readonly number[];
  onReject: (reason: string) => void;
  onClose: () => void;
}) {
  const [reason, setReason] = useState('');
  const [first, ...others] = tickets;
  const only = others.length === 0 ? first : undefined;
  const own = useSurePayment(only?.id);
  const seen = only ? (own ? [own.gross] : []) : seenOfMany;
  const area = useRef<HTMLTextAreaElement>(null);
  const send = useRef<HTMLButtonElement>(null);
  const canned = useRejectReasons();
  const choose = (chosen: string) => {
    setReason(chosen);
    send.current?.focus();
  };
  useKeys(
    (key) => {
      const chosen = /^[1-9]$/.test(key) && canned[Number(key) - 1];
      if (chosen) choose(chosen);
      // What is typed is a reason.
      else if (/^\p{L}$/u.test(key)) area.current?.focus();
    },
    { inDialogs: true },
  );
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    onReject(reason.trim());
  };
  return (
    <Dialog
      title={
        only
          ? `Rejeter le ticket n°\u00a0${only.id}`
          : `Rejeter ${formatCounted(tickets.length, 'demande')} · ${spaceAmount(formatAmount(sumOf(tickets)))}\u00a0?`
      }
      note={only && `${serviceOf(only)} · ${totalOf(only)} · ${ownerOf(only)}`}
      calm
      onClose={onClose}
    >
      <form onSubmit={onSubmit} className="mt-4 flex flex-col gap-4">
        {only?.status === 'approved' && (
          <p className="rounded-xl bg-amber-pale px-3 py-2 font-semibold text-amber">
            Ce ticket est approuvé, et la personne en a été avertie. Dites-lui pourquoi il ne l'est plus.
          </p>
        )}
        {seen.length > 0 && (
          <p className="flex items-start gap-2 rounded-xl bg-amber-pale px-3 py-2 font-semibold text-amber">
            <WarningIcon className="mt-0.5 size-5 shrink-0" />
            {seenSentence(seen)}
          </p>
        )}
        <CannedReasons reasons={canned} chosen={reason} onChoose={choose} />
        <TextArea
          ref={area}
          label="Motif (facultatif)"
          hint="L'utilisateur le lira dans sa notification."
          rows={3}
          maxLength={rejectReasonLength}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <DialogFoot ref={send} variant="danger" onCancel={onClose} {...deliberate(() => {})}>
          {seen.length > 0 ? 'Rejeter quand même' : 'Rejeter'}
        </DialogFoot>
      </form>
    </Dialog>
  );
}

function CannedReasons({
  reasons,
  chosen,
  onChoose,
}: {
  reasons: readonly string[];
  chosen: string;
  onChoose: (reason: string) => void;
}) {
  if (reasons.length === 0) return null;
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-semibold text-body">Motifs enregistrés</legend>
      {/* On a phone on its side one row, which scrolls. */}
      <div className="flex flex-wrap gap-2 short:-mx-5 short:-my-1.5 short:flex-nowrap short:overflow-x-auto short:px-5 short:py-1.5">
        {reasons.map((each, place) => (
          <button
            key={each}
            type="button"
            aria-pressed={chosen === each}
            onClick={() => onChoose(each)}
            className={join(
              'inline-flex min-h-11 shrink-0 max-w-full items-center gap-2 rounded-full border px-3.5 py-1.5 text-left text-body leading-snug',
              chosen === each ? 'border-leaf bg-leaf-pale font-semibold text-leaf-dark' : 'border-edge hover:bg-ground',
            )}
          >
            {place < 9 && <Key>{String(place + 1)}</Key>}
            <span className="min-w-0">{each}</span>
          </button>
        ))}
      </div>
    </fieldset>
  );
}

function seenSentence(seen: readonly number[]): string {
  const sum = formatAmount(seen.reduce((francs, gross) => francs + gross, 0));
  return seen.length === 1
    ? `Un paiement de ${sum} a été vu.`
    : `${formatCount(seen.length)} paiements ont été vus, ${sum} en tout.`;
}

/** The canned reject reasons, refetched when a screen opens. */
export const useRejectReasons = () => useEndpoint(listRejectReasons, {}, { freshForMs: 0 }).data?.reasons ?? [];

import { useEffect, useRef } from 'react';
import { formatPhone } from '#contract/phone.ts';
import {
  type AdminTicket,
  type Decision,
  readTicket,
  referenceUsesAtMost,
  type TicketDetail,
} from '#contract/tickets.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { CopyBeside } from '#web/features/admin/shared/copy-beside.tsx';
import { isFocusLost } from '#web/features/admin/shared/use-fallback-focus.ts';
import { formatAmount, formatCount, formatDate, formatTotal } from '#web/text/formats.ts';
import { ticketHistory } from '#web/text/ticket-history.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { WarningIcon } from '#web/ui/control-icons.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { PaymentSeen, useTicketPayment } from './payment-seen.tsx';

interface Props {
  id: number;
  busy: boolean;
  onDecide: (ticket: AdminTicket, status: Decision) => void;
  onOpenUser: (userId: number) => void;
  onClose: () => void;
}

/** A whole ticket: the order, the code to dial and its history, kept current. */
export function TicketDialog({ id, busy, onDecide, onOpenUser, onClose }: Props) {
  const query = useEndpoint(readTicket, { params: { id: String(id) } }, { pollEveryMs: pollEveryMs.adminTickets });
  const payment = useTicketPayment(id);
  // The ticket waits for its payment, which stands above the buttons: none moves under the finger.
  const isWaiting = payment.isPending && !payment.isPaused;
  const close = useRef<HTMLButtonElement>(null);
  const ticket = isWaiting ? undefined : query.data;
  const status = ticket?.status;
  const isDecided = status !== undefined && status !== 'pending';
  const service = query.data?.servicePath.at(-1)?.name;
  // A decision disables the pressed button.
  useEffect(() => {
    if (status && isFocusLost()) close.current?.focus({ preventScroll: true });
  }, [status]);
  return (
    <Dialog wide title={`Ticket n° ${id}${service ? ` · ${service}` : ''}`} onClose={onClose}>
      <QueryState
        query={{ ...query, data: ticket, isPending: query.isPending || isWaiting }}
        loading="Chargement du ticket..."
        // As tall as the content, so that the sheet does not grow under the finger.
        skeleton={
          <div className="min-h-[calc(0.85*var(--screen))] pt-3 md:min-h-96">
            <SkeletonText text="Chargement du ticket..." />
          </div>
        }
        failure="Ce ticket n'a pas pu être chargé."
      >
        {(shown) => <Detail ticket={shown} onOpenUser={onOpenUser} />}
      </QueryState>
      {/* All three from the start: none moves when the ticket comes. */}
      <DialogButtons className="mt-5 max-sm:[&>button]:px-2">
        <Button ref={close} variant="plain" tight onClick={onClose}>
          Fermer
        </Button>
        <Button
          variant={isDecided ? 'plain' : 'main'}
          tight
          busy={busy}
          disabled={!ticket || status === 'approved'}
          onClick={() => ticket && onDecide(ticket, 'approved')}
        >
          Approuver
        </Button>
        <Button
          variant={isDecided ? 'plain' : 'danger'}
          tight
          busy={busy}
          disabled={!ticket || status === 'rejected'}
          onClick={() => ticket && onDecide(ticket, 'rejected')}
        >
          Rejeter
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function Detail({ ticket, onOpenUser }: { ticket: TicketDetail } & Pick<Props, 'onOpenUser'>) {
  const { label, tone } = ticketStatusLabel(ticket.status);
  const { user } = ticket;
  const names = ticket.servicePath.map((step) => step.name);
  return (
    <>
      {names.length > 1 && <p className="mt-1 text-soft">{names.slice(0, -1).join(' → ')}</p>}
      {ticket.paymentReferenceUses > 0 && <UsedReference uses={ticket.paymentReferenceUses} />}
      <div className="mt-4 grid gap-x-8 gap-y-5 short:mt-3 sm:grid-cols-2 short:[&_dl]:gap-0.5">
        <Facts>
          <Fact name="Statut">
            <Badge tone={tone}>{label}</Badge>
          </Fact>
          {ticket.rejectReason && <Fact name="Motif">{ticket.rejectReason}</Fact>}
          <Fact name="Utilisateur">
            {user ? (
              <button
                type="button"
                className="min-h-6 font-medium text-leaf underline underline-offset-4"
                onClick={() => onOpenUser(user.id)}
              >{`${user.firstName} ${user.lastName}`}</button>
            ) : (
              'Utilisateur inconnu'
            )}
          </Fact>
          {user && <Fact name="Téléphone">{formatPhone(user.phone)}</Fact>}
          {user?.email && <Fact name="E-mail">{user.email}</Fact>}
          <Fact name="Bénéficiaire">{formatPhone(ticket.beneficiaryPhoneNumber)}</Fact>
          <Fact name="Paiement">{ticket.paymentTypeName}</Fact>
          {ticket.paymentReference && (
            <Fact name="Référence">
              <span className="break-all font-mono">{ticket.paymentReference}</span>{' '}
              <CopyBeside text={ticket.paymentReference} of="la référence" />
            </Fact>
          )}
          {ticket.payerPhone && <Fact name="Payé depuis">{formatPhone(ticket.payerPhone)}</Fact>}
          {ticket.earlierReferences.length > 0 && (
            <Fact name="Avant celle-ci">
              <span className="break-all font-mono">{ticket.earlierReferences.join(', ')}</span>
            </Fact>
          )}
          <Fact name="Prix">{formatAmount(ticket.amount)}</Fact>
          <Fact name="Commission">{formatAmount(ticket.commission)}</Fact>
          <Fact name="Total" main>
            {formatTotal(Number(ticket.totalPrice), ticket.servicePath)}
          </Fact>
        </Facts>
        <div className="flex flex-col gap-4">
          {ticket.dialCode && (
            <div>
              <h3 className="font-semibold">Code à composer</h3>
              <p className="mt-1">
                <span className="break-all font-mono">{ticket.dialCode}</span>{' '}
                <CopyBeside text={ticket.dialCode} of="le code" />
              </p>
            </div>
          )}
          <div>
            <h3 className="font-semibold">Historique</h3>
            <ol className="mt-2 ml-1.5 flex flex-col gap-3 border-line border-l-2 pl-4">
              {ticketHistory(ticket).map(({ at, event }) => (
                <li key={event?.id ?? 'declared'} className="relative">
                  <span
                    aria-hidden="true"
                    className={join(
                      'absolute top-1 -left-6 size-3.5 rounded-full',
                      event?.status === 'rejected' ? 'bg-brick' : 'bg-leaf',
                    )}
                  />
                  <p className="font-medium">{event ? ticketStatusLabel(event.status).label : 'Paiement déclaré'}</p>
                  <p className="text-soft text-sm">
                    {`${formatDate(at)}${event?.actor ? `, par ${event.actor.firstName} ${event.actor.lastName}` : ''}`}
                  </p>
                  {event?.reason && <p className="text-sm">{`Motif : ${event.reason}`}</p>}
                  {!event && ticket.paymentReference && (
                    <p className="text-sm">
                      Référence : <span className="select-all break-all font-mono">{ticket.paymentReference}</span>
                    </p>
                  )}
                </li>
              ))}
            </ol>
          </div>
        </div>
      </div>
      <div className="mt-5 empty:hidden">
        <PaymentSeen ticketId={ticket.id} />
      </div>
    </>
  );
}

/** A warning of a possible second payment by one transaction. */
export function UsedReference({ uses }: { uses: number }) {
  const count = uses === referenceUsesAtMost ? `${formatCount(uses)} ou plus` : formatCount(uses);
  return (
    <p className="mt-3 flex items-start gap-2 rounded-xl bg-brick-pale px-3 py-2 font-semibold text-brick">
      <WarningIcon className="mt-0.5 size-5 shrink-0" />
      <span>{`Référence déjà utilisée (${count} ${uses > 1 ? 'autres tickets' : 'autre ticket'})`}</span>
    </p>
  );
}

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
import { formatAmount, formatCount, formatDate } from '#web/text/formats.ts';
import { ticketHistory } from '#web/text/ticket-history.ts';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { WarningIcon } from '#web/ui/control-icons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';

interface Props {
  id: number;
  busy: boolean;
  onDecide: (ticket: AdminTicket, status: Decision) => void;
  onOpenUser: (userId: number) => void;
  onClose: () => void;
}

/** A whole ticket: the order, the code to dial and its history, kept current. */
export function TicketDialog({ id, onClose, ...actions }: Props) {
  const query = useEndpoint(readTicket, { params: { id: String(id) } }, { pollEveryMs: pollEveryMs.adminTickets });
  return (
    <Dialog wide title={`Ticket n° ${id}`} onClose={onClose}>
      <QueryState
        query={query}
        loading="Chargement du ticket..."
        // As tall as the content, so that the sheet does not grow under the finger.
        skeleton={
          <div className="min-h-[85dvh] pt-3 md:min-h-96">
            <SkeletonText text="Chargement du ticket..." />
          </div>
        }
        failure="Ce ticket n’a pas pu être chargé."
      >
        {(ticket) => <Detail ticket={ticket} {...actions} />}
      </QueryState>
      <Button variant="quiet" className="mt-4 w-full" onClick={onClose}>
        Fermer
      </Button>
    </Dialog>
  );
}

function Detail({ ticket, busy, onDecide, onOpenUser }: { ticket: TicketDetail } & Omit<Props, 'id' | 'onClose'>) {
  const { label, tone } = ticketStatusLabel(ticket.status);
  const { user } = ticket;
  return (
    <>
      <p className="mt-1 text-soft">{ticket.servicePath.map((step) => step.name).join(' → ')}</p>
      {ticket.paymentReferenceUses > 0 && <UsedReference uses={ticket.paymentReferenceUses} />}
      <div className="mt-4 grid gap-x-8 gap-y-5 md:grid-cols-2">
        <Facts>
          <Fact name="Statut">
            <Badge tone={tone}>{label}</Badge>
          </Fact>
          <Fact name="Utilisateur">
            {user ? (
              <button
                type="button"
                className="min-h-6 font-medium text-leaf underline underline-offset-4"
                onClick={() => onOpenUser(user.id)}
              >
                {user.firstName} {user.lastName}
              </button>
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
              <span className="break-all font-mono">{ticket.paymentReference}</span>
            </Fact>
          )}
          {ticket.earlierReferences.length > 0 && (
            <Fact name="Avant celle-ci">
              <span className="break-all font-mono">{ticket.earlierReferences.join(', ')}</span>
            </Fact>
          )}
          <Fact name="Prix">{formatAmount(ticket.amount)}</Fact>
          <Fact name="Commission">{formatAmount(ticket.commission)}</Fact>
          <Fact name="Total" main>
            {formatAmount(Number(ticket.totalPrice))}
          </Fact>
        </Facts>
        <div className="flex flex-col gap-4">
          {ticket.dialCode && (
            <div>
              <h3 className="font-semibold">Code à composer</h3>
              <p className="mt-1 break-all font-mono">{ticket.dialCode}</p>
            </div>
          )}
          <div>
            <h3 className="font-semibold">Historique</h3>
            <ol className="mt-2 flex flex-col gap-3 border-line border-l-2 pl-4">
              {ticketHistory(ticket).map(({ at, event }) => (
                <li key={event?.id ?? 'declared'}>
                  <p className="font-medium">{event ? ticketStatusLabel(event.status).label : 'Paiement déclaré'}</p>
                  <p className="text-soft text-sm">
                    {formatDate(at)}
                    {event?.actor && `, par ${event.actor.firstName} ${event.actor.lastName}`}
                  </p>
                  {event?.reason && <p className="text-sm">Motif : {event.reason}</p>}
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
      <div className="mt-6 flex flex-wrap gap-2.5">
        <Button
          className="flex-1"
          disabled={busy || ticket.status === 'approved'}
          onClick={() => onDecide(ticket, 'approved')}
        >
          Approuver
        </Button>
        <Button
          variant="danger"
          className="flex-1"
          disabled={busy || ticket.status === 'rejected'}
          onClick={() => onDecide(ticket, 'rejected')}
        >
          Rejeter
        </Button>
      </div>
    </>
  );
}

/** A warning of a possible second payment by one transaction. */
function UsedReference({ uses }: { uses: number }) {
  const count = uses === referenceUsesAtMost ? `${formatCount(uses)} ou plus` : formatCount(uses);
  return (
    <p className="mt-3 flex items-start gap-2 rounded-xl bg-brick-pale px-3 py-2 font-semibold text-brick">
      <WarningIcon className="mt-0.5 size-5 shrink-0" />
      Référence déjà utilisée ({count} {uses > 1 ? 'autres tickets' : 'autre ticket'})
    </p>
  );
}

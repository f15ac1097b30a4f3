import { useEffect, useRef } from 'react';
import {
  countUnread,
  listNotifications,
  markNotificationRead,
  type Notification,
  readNotification,
} from '#contract/notifications.ts';
import { readOwnTicket, type Ticket } from '#contract/tickets.ts';
import { addresses, ticketDetailAddress } from '#web/addresses.ts';
import { ApiError } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useReplaceRows } from '#web/api/use-list.ts';
import { useRefresh } from '#web/api/use-refresh.ts';
import { ContactButton } from '#web/contact/contact-button.tsx';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { goBack, Link, useSubject } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { Beneficiary } from '#web/session/beneficiaries.tsx';
import { Missing } from '#web/shell/not-found-page.tsx';
import { formatDate, keepUnits, spaceAmount } from '#web/text/formats.ts';
import { OrderAgainAction, ReceiptAction, useTicketDialogs } from '#web/tickets/ticket-actions.tsx';
import { nameOf, totalOf } from '#web/tickets/ticket-head.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SkeletonText } from '#web/ui/skeleton.tsx';
import { NotificationMark } from './notification-mark.tsx';

export default function NotificationPage() {
  const id = useSubject();
  const { user } = useAuth();
  const known = /^\d{1,9}$/.test(id) && user && !user.isGuest;
  return (
    <Column>
      <PageTitle onBack={() => goBack(addresses.notifications)}>Notification</PageTitle>
      {known ? <Detail key={id} id={id} /> : missing}
    </Column>
  );
}

const missing = (
  <Missing
    title="Notification introuvable"
    text="Elle a peut-être été supprimée, ou elle appartient à un autre compte."
    to={addresses.notifications}
    words="Retour aux notifications"
  />
);

/** Marks the notification read once, when it is displayed. */
function useMarkRead(id: string, isRead: boolean | undefined) {
  const call = useCall();
  const refresh = useRefresh();
  const replace = useReplaceRows(listNotifications);
  const toastFailure = useFailureToast();
  const done = useRef(false);
  useEffect(() => {
    if (isRead !== false || done.current) return;
    done.current = true;
    call(markNotificationRead, { params: { id } })
      .then((read) => {
        replace([read]);
        return refresh(listNotifications, countUnread, readNotification);
      })
      .catch((error: unknown) => toastFailure(error, { fallback: 'Impossible de marquer la notification comme lue.' }));
  }, [id, isRead, call, refresh, replace, toastFailure]);
}

/** The message; the reason of a rejection, at its end, stands out as on the ticket. */
function Message({ of: { type, message } }: { of: Notification }) {
  const end = type === 'error' ? message.indexOf('. Motif : ') + 1 : 0;
  return (
    <>
      <p className="whitespace-pre-line">{keepUnits(message.slice(0, end || undefined))}</p>
      {end > 0 && <p className="rounded-xl bg-brick-pale px-3 py-2 text-brick">{message.slice(end + 1)}</p>}
    </>
  );
}

/** What the ticket was for, and what one does next; the link alone where it cannot be read. */
function About({ ticketId: id }: { ticketId: number }) {
  const { data: ticket } = useEndpoint(readOwnTicket, { params: { id: String(id) } }, { keep: true });
  const isPending = !ticket || ticket.status === 'pending';
  // Whose declared payment was rejected asks where the money is, before paying again.
  const mustAsk = ticket?.status === 'rejected' && ticket.paymentDeclaredAt !== null;
  return (
    <>
      {ticket && (
        <Facts>
          <Fact name="Service">{nameOf(ticket)}</Fact>
          <Fact name="Bénéficiaire">
            <Beneficiary phone={ticket.beneficiaryPhoneNumber} />
          </Fact>
          <Fact name="Paiement">{ticket.paymentTypeName}</Fact>
          <Fact name="Total" main>
            {spaceAmount(totalOf(ticket))}
          </Fact>
        </Facts>
      )}
      <div className="flex flex-col gap-2.5 sm:flex-row sm:flex-wrap sm:*:basis-44">
        {mustAsk && <ContactButton tight ticketId={id} />}
        {ticket && !isPending && <Next ticket={ticket} main={!mustAsk} />}
        <Link
          href={ticketDetailAddress(id)}
          className={buttonClass({ variant: isPending ? 'main' : 'outline', tight: true })}
        >
          {`Voir le ticket n°\u00a0${id}`}
        </Link>
        {!mustAsk && <ContactButton variant={isPending ? 'outline' : 'quiet'} tight ticketId={id} />}
      </div>
    </>
  );
}

/** The main action of a decided ticket: its receipt, or another try. */
function Next({ ticket, main }: { ticket: Ticket; main: boolean }) {
  const { dialog, onReceipt } = useTicketDialogs(ticket);
  return (
    <>
      {ticket.status === 'approved' ? (
        <ReceiptAction main={main} whole ticket={ticket} onOpen={onReceipt} />
      ) : (
        <OrderAgainAction whole main={main} ticket={ticket} />
      )}
      {dialog}
    </>
  );
}

function Detail({ id }: { id: string }) {
  const query = useEndpoint(readNotification, { params: { id } });
  useMarkRead(id, query.data?.isRead);
  if (query.error instanceof ApiError && [400, 404].includes(query.error.status)) return missing;
  return (
    <QueryState
      query={query}
      loading="Chargement..."
      skeleton={<SkeletonText text="Chargement..." />}
      failure="Impossible de charger la notification."
    >
      {(notification) => (
        <Card className="flex flex-col gap-4">
          <div className="flex flex-wrap items-start gap-x-3 gap-y-1">
            <NotificationMark type={notification.type} />
            <div className="min-w-0 flex-1 basis-40">
              <h2 className="font-bold text-large leading-snug">{notification.title}</h2>
              <time dateTime={notification.createdAt} className="block text-soft text-small">
                {formatDate(notification.createdAt)}
              </time>
            </div>
          </div>
          <Message of={notification} />
          {notification.relatedTicketId === null ? (
            <ContactButton variant="outline" />
          ) : (
            <About ticketId={notification.relatedTicketId} />
          )}
        </Card>
      )}
    </QueryState>
  );
}

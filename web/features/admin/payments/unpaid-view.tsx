import { remindPayer } from '#contract/payments.ts';
import type { AdminTicket } from '#contract/tickets.ts';
import { useCall } from '#web/api/use-call.ts';
import { HourOrDay, RequestFacts } from '#web/features/admin/shared/payment-facts.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { useRowAction } from '#web/features/admin/shared/use-row-action.ts';
import { formatAmount } from '#web/text/formats.ts';
import { DataTable } from '#web/ui/data-table.tsx';
import { paymentReads } from './use-approve.tsx';
import { View } from './view.tsx';

/** Tickets that were declared paid, and for which nothing came. */
export function UnpaidView({ tickets }: { tickets: readonly AdminTicket[] }) {
  const call = useCall();
  const attempt = useAttempt();
  const remind = useRowAction(async ({ id }: AdminTicket) => {
    const write = async () => {
      await call(remindPayer, { body: { ticketId: id } });
      return {
        title: 'Personne relancée',
        description: `Ticket n°\u00a0${id}\u00a0: une notification lui est envoyée.`,
      };
    };
    await attempt(write, { fallback: "La relance n'a pas pu être envoyée." }, ...paymentReads);
  });
  const button = (ticket: AdminTicket, small: boolean) => (
    <RowButton
      name="Relancer"
      of={`la personne du ticket n° ${ticket.id}`}
      small={small}
      variant="outline"
      busy={remind.busy.has(ticket.id)}
      onClick={() => remind.run(ticket)}
    />
  );
  return (
    <View
      title="Sans paiement"
      nothing={
        tickets.length === 0 && {
          title: 'Aucune demande sans paiement',
          words: "Les demandes déclarées payées, pour lesquelles rien n'est arrivé, sont montrées ici.",
        }
      }
    >
      <DataTable
        label="Demandes sans paiement"
        rows={tickets}
        columns={[
          { head: 'Demande', percent: 36, cell: (ticket) => <RequestFacts ticket={ticket} /> },
          {
            head: 'Total',
            end: true,
            percent: 14,
            cell: ({ totalPrice }) => <strong>{formatAmount(Number(totalPrice))}</strong>,
          },
          { head: 'Déclaré', percent: 34, className: 'pl-4', cell: (ticket) => <Declared ticket={ticket} /> },
          { head: 'Actions', percent: 16, cell: (ticket) => <div className="flex">{button(ticket, true)}</div> },
        ]}
        card={(ticket) => (
          <div className="flex flex-col gap-1.5">
            <RequestFacts ticket={ticket} />
            <strong className="tabular-nums">{formatAmount(Number(ticket.totalPrice))}</strong>
            <Declared ticket={ticket} />
            <div className="mt-1 flex">{button(ticket, false)}</div>
          </div>
        )}
      />
    </View>
  );
}

function Declared({ ticket: { paymentTypeName, paymentReference, paymentDeclaredAt } }: { ticket: AdminTicket }) {
  return (
    <p className="wrap-anywhere text-[0.8125rem] text-soft">
      {paymentDeclaredAt && <HourOrDay instant={paymentDeclaredAt} />}
      <span>{` · ${paymentTypeName} · `}</span>
      {paymentReference ? <span className="select-all">{paymentReference}</span> : <span>sans référence</span>}
    </p>
  );
}

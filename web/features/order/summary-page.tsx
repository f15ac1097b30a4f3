import { useState } from 'react';
import type { Ticket } from '#contract/tickets.ts';
import { addresses, levelAddress } from '#web/addresses.ts';
import { forgetOrderDraft, type OrderDraft, readOrderDraft } from '#web/order-draft.ts';
import { goBack, navigate, Redirect } from '#web/router.tsx';
import { PageTitle } from '#web/ui/page.tsx';
import { OrderForm } from './order-form.tsx';
import { SuccessDialog } from './success-dialog.tsx';

export default function SummaryPage() {
  const [draft, setDraft] = useState<OrderDraft | undefined>(readOrderDraft);
  const [ticket, setTicket] = useState<Ticket>();
  if (!draft) return <Redirect to={addresses.home} />;
  const back = () => {
    const above = draft.services.slice(0, -1).map((service) => service.id);
    goBack(levelAddress(above));
  };
  return (
    // At least as tall as the screen, so that the bar is at its bottom.
    <main className="mx-auto flex w-full max-w-2xl flex-1 flex-col px-4 pt-1.5 rail:self-stretch">
      <PageTitle onBack={back}>Récapitulatif de la commande</PageTitle>
      <OrderForm
        draft={draft}
        onServicesChanged={(services) => setDraft({ ...draft, services })}
        onCreated={(created) => {
          forgetOrderDraft();
          setTicket(created);
        }}
      />
      {ticket && (
        <SuccessDialog
          ticket={ticket}
          onHome={() => navigate(addresses.home, { replace: true })}
          onClose={() => navigate(addresses.tickets, { replace: true })}
        />
      )}
    </main>
  );
}

import { useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import type { Ticket } from '#contract/tickets.ts';
import { type ChosenPath, forgetChosenPath, readChosenPath } from '#web/chosen-path.ts';
import { paths } from '#web/paths.ts';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { OrderForm } from './order-form.tsx';
import { PathCard } from './path-card.tsx';
import { SuccessDialog } from './success-dialog.tsx';

export function SummaryPage() {
  const [chosen, setChosen] = useState<ChosenPath | undefined>(readChosenPath);
  const [ticket, setTicket] = useState<Ticket>();
  const [, navigate] = useLocation();
  if (!chosen) return <Redirect to={paths.home} />;
  const back = () => {
    const above = chosen.services.slice(0, -1).map((service) => service.id);
    navigate(above.length > 0 ? `${paths.home}?dans=${above.join(',')}` : paths.home);
  };
  return (
    <Column>
      <PageTitle onBack={back}>Récapitulatif de la commande</PageTitle>
      <div className="flex flex-col gap-4">
        <PathCard services={chosen.services} />
        <OrderForm
          chosen={chosen}
          onServicesChanged={(services) => setChosen({ ...chosen, services })}
          onCreated={(created) => {
            forgetChosenPath();
            setTicket(created);
          }}
        />
      </div>
      {ticket && (
        <SuccessDialog ticket={ticket} onHome={() => navigate(paths.home)} onClose={() => navigate(paths.tickets)} />
      )}
    </Column>
  );
}

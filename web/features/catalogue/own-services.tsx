import type { ReactNode } from 'react';
import type { Service } from '#contract/catalogue.ts';
import { formatPhone } from '#contract/phone.ts';
import type { Ticket } from '#contract/tickets.ts';
import type { User } from '#contract/users.ts';
import type { ServicePath } from '#web/catalogue/search-services.ts';
import { rowClass, rowIconClass, ServiceRow } from '#web/catalogue/service-card.tsx';
import { ServicePicture } from '#web/catalogue/service-text.tsx';
import { useOrderAgain } from '#web/order-again.ts';
import { formatTotal } from '#web/text/formats.ts';
import { RepeatIcon } from '#web/ui/action-icons.tsx';
import { join } from '#web/ui/join.ts';
import { ordersAgain, usedShown } from './limits.ts';
import { lastOrders, usedServices } from './own-orders.ts';
import { RowList } from './service-lists.tsx';

/** Earlier orders to repeat: the last requests, then the most used services. */
export default function OwnServices({
  user,
  tickets,
  catalogue,
  onOpen,
}: {
  user: User;
  /** Newest first. */
  tickets: Ticket[];
  catalogue: Service[] | undefined;
  onOpen: (path: ServicePath) => void;
}) {
  const last = lastOrders(tickets, ordersAgain);
  const used = usedServices(tickets, catalogue ?? [], usedShown);
  const offered = new Set(last.map(({ servicePath }) => servicePath.at(-1)?.id));
  /** Omitted if the requests above already offer all of them. */
  const isNew = used.paths.some((path) => !offered.has(path.at(-1)?.id));
  return (
    <>
      {last.length > 0 && (
        <Section title="Recommencer">
          {last.map((ticket) => (
            <AgainRow key={ticket.id} ticket={ticket} catalogue={catalogue} ownPhone={user.phone} />
          ))}
        </Section>
      )}
      {isNew && (
        <Section title={used.isRepeated ? 'Les plus utilisés' : 'Utilisés récemment'}>
          {used.paths.map((path) => (
            <ServiceRow
              key={path.at(-1)?.id}
              service={path.at(-1) as Service}
              // Without the family, which says little about a known service.
              path={path.slice(1, -1).map(({ name }) => name)}
              onSelect={() => onOpen(path)}
            />
          ))}
        </Section>
      )}
    </>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mt-4">
      <h2 className="mb-1.5 font-bold text-soft text-sm">{title}</h2>
      <RowList>{children}</RowList>
    </section>
  );
}

/** An earlier request, repeated by one tap. */
function AgainRow({
  ticket,
  catalogue,
  ownPhone,
}: {
  ticket: Ticket;
  catalogue: Service[] | undefined;
  ownPhone: string;
}) {
  const again = useOrderAgain();
  const { servicePath, beneficiaryPhoneNumber: beneficiary } = ticket;
  const { id, name = '' } = servicePath.at(-1) ?? {};
  const pictureUrl = catalogue?.find((service) => service.id === id)?.pictureUrl ?? null;
  return (
    <button type="button" aria-busy={again.busy} onClick={() => again.run(ticket)} className={rowClass}>
      <ServicePicture service={{ name, pictureUrl }} size="small" />
      <span className="min-w-0 flex-1">
        <span className="sr-only">Recommencer : </span>
        <span className="block font-medium text-sm">{name}</span>
        <span className="block text-soft text-xs">
          {beneficiary === ownPhone ? 'Moi-même' : formatPhone(beneficiary)} ·{' '}
          {formatTotal(Number(ticket.totalPrice), servicePath)}
        </span>
      </span>
      <RepeatIcon className={join(rowIconClass, again.busy && 'turn')} />
    </button>
  );
}

import type { Service } from '#contract/catalogue.ts';
import type { Ticket } from '#contract/tickets.ts';
import { ServicePicture } from '#web/catalogue/service-text.tsx';
import { useOrderAgain } from '#web/order-again.ts';
import { Beneficiary } from '#web/session/beneficiaries.tsx';
import { keepUnits, spaceAmount } from '#web/text/formats.ts';
import { totalOf } from '#web/tickets/ticket-head.tsx';
import { RepeatIcon } from '#web/ui/action-icons.tsx';
import { join } from '#web/ui/join.ts';
import { headingClass, RowList } from './service-lists.tsx';

interface Common {
  catalogue: Service[] | undefined;
}

/** Earlier requests, each repeated by one tap. */
export function AgainList({
  tickets,
  beside,
  ...common
}: Common & {
  tickets: readonly Ticket[];
  /** Whether something stands beside it on a desk. */
  beside: boolean;
}) {
  return (
    <section>
      <h2 className={headingClass}>Refaire</h2>
      <RowList single={beside}>
        {tickets.map((ticket) => (
          <AgainRow key={ticket.id} ticket={ticket} {...common} />
        ))}
      </RowList>
    </section>
  );
}

function AgainRow({ ticket, catalogue }: Common & { ticket: Ticket }) {
  const again = useOrderAgain();
  const { servicePath } = ticket;
  const { id, name = '' } = servicePath.at(-1) ?? {};
  const pictureUrl = catalogue?.find((service) => service.id === id)?.pictureUrl ?? null;
  return (
    <button
      type="button"
      aria-busy={again.busy}
      onClick={() => again.run(ticket)}
      className="flex min-h-16 w-full items-center gap-[min(0.75rem,3.4vw)] px-[calc(1rem-1px)] py-2 text-left leading-snug -outline-offset-4 hover:bg-leaf-pale/40"
    >
      <ServicePicture
        service={{ name, pictureUrl }}
        above={servicePath.slice(0, -1).map((step) => step.name)}
        size="small"
      />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3">
        <span className="min-w-0 grow basis-24">
          <span className="sr-only">Refaire&nbsp;: </span>
          <span className="line-clamp-3 font-semibold text-[1rem] leading-tight">{keepUnits(name)}</span>
        </span>
        <span className="ml-auto whitespace-nowrap font-bold font-display text-[1rem] tabular-nums leading-tight">
          {spaceAmount(totalOf(ticket))}
        </span>
        <span className="flex basis-full items-start gap-x-3 text-small text-soft leading-tight">
          <span className="min-w-0 flex-1 pt-0.5">
            Pour&nbsp;
            <Beneficiary short phone={ticket.beneficiaryPhoneNumber} />
            <span>&nbsp;· </span>
            <span className="inline-block">{ticket.paymentTypeName}</span>
          </span>
          <RepeatIcon className={join('size-[min(1.25rem,5.6vw)] shrink-0 text-leaf', again.busy && 'turn')} />
        </span>
      </span>
    </button>
  );
}

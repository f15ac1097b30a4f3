import type { Service } from '#contract/catalogue.ts';
import { formatPhone } from '#contract/phone.ts';
import type { Ticket } from '#contract/tickets.ts';
import { rowClass, rowIconClass } from '#web/catalogue/service-card.tsx';
import { ServicePicture } from '#web/catalogue/service-text.tsx';
import { useOrderAgain } from '#web/order-again.ts';
import { useBeneficiaryNames } from '#web/session/beneficiaries.tsx';
import { formatTotal, keepUnits } from '#web/text/formats.ts';
import { RepeatIcon } from '#web/ui/action-icons.tsx';
import { join } from '#web/ui/join.ts';
import { headingClass, RowList } from './service-lists.tsx';

interface Common {
  catalogue: Service[] | undefined;
  ownPhone: string;
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

function AgainRow({ ticket, catalogue, ownPhone }: Common & { ticket: Ticket }) {
  const again = useOrderAgain();
  const { servicePath, beneficiaryPhoneNumber: beneficiary } = ticket;
  const named = useBeneficiaryNames().get(beneficiary);
  const { id, name = '' } = servicePath.at(-1) ?? {};
  const pictureUrl = catalogue?.find((service) => service.id === id)?.pictureUrl ?? null;
  return (
    <button type="button" aria-busy={again.busy} onClick={() => again.run(ticket)} className={rowClass}>
      <ServicePicture
        service={{ name, pictureUrl }}
        above={servicePath.slice(0, -1).map((step) => step.name)}
        size="small"
      />
      <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 text-body">
        <span className="min-w-0 grow basis-24">
          <span className="sr-only">Refaire&nbsp;: </span>
          <span className="line-clamp-3 font-bold leading-tight">{keepUnits(name)}</span>
        </span>
        <span className="whitespace-nowrap font-bold tabular-nums">
          {formatTotal(Number(ticket.totalPrice), servicePath)}
        </span>
        {/* Where the payment type begins a line its point is out of sight. */}
        <span className="-ml-3 flex basis-full flex-wrap text-small text-soft leading-tight [clip-path:inset(0_0_0_0.75rem)]">
          <span className="pl-3">{beneficiary === ownPhone ? 'Pour moi' : (named ?? formatPhone(beneficiary))}</span>{' '}
          <span>
            <span className="inline-block w-3 text-center">·</span>
            {ticket.paymentTypeName}
          </span>
        </span>
      </span>
      <RepeatIcon className={join(rowIconClass, again.busy && 'turn')} />
    </button>
  );
}

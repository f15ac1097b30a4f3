import { listCatalogue, type Service } from '#contract/catalogue.ts';
import type { Ticket } from '#contract/tickets.ts';
import { addresses } from './addresses.ts';
import { type ApiCall, useCall } from './api/use-call.ts';
import { useAction } from './forms/use-action.ts';
import { startOrderDraft } from './order-draft.ts';
import { navigate } from './router.tsx';

/** The current path of a ticket's service, even after a move; `undefined` if it is not offered now. */
async function findPath(call: ApiCall, { servicePath }: Ticket): Promise<Service[] | undefined> {
  const offered = new Map((await call(listCatalogue, {})).map((service) => [service.id, service]));
  const path: Service[] = [];
  let next = offered.get(servicePath.at(-1)?.id ?? 0);
  while (next) {
    path.unshift(next);
    next = offered.get(next.parentId ?? 0);
  }
  return path.at(-1)?.isFinalLevel ? path : undefined;
}

/** Opens the summary with a ticket's service, beneficiary and payment type, at today's price, or says that it is gone. */
export function useOrderAgain() {
  const call = useCall();
  return useAction(
    async (ticket: Ticket) => {
      const services = await findPath(call, ticket);
      if (!services)
        return {
          title: 'Service indisponible',
          description: "Ce service n'est plus proposé. Choisissez-en un autre dans le catalogue.",
          destructive: true,
        };
      startOrderDraft(services, {
        beneficiary: ticket.beneficiaryPhoneNumber,
        amount: services.at(-1)?.allowUserPriceInput ? String(ticket.amount) : '',
        paymentType: ticket.paymentTypeName,
      });
      navigate(addresses.summary);
    },
    { failure: { fallback: 'Impossible de reprendre cette demande. Réessayez.' } },
  );
}

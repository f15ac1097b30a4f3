import { listServices, type Service } from '#contract/catalogue.ts';
import type { Ticket } from '#contract/tickets.ts';
import { addresses } from './addresses.ts';
import { type Call, useCall } from './api/use-call.ts';
import { useAction } from './forms/use-action.ts';
import { useFailureToast } from './forms/use-failure-toast.ts';
import { startOrderDraft } from './order-draft.ts';
import { navigate } from './router.tsx';
import { useToast } from './ui/toast.tsx';

/** The services of a ticket's path as they are offered today; `undefined` where one of them no longer is. */
async function findPath(call: Call, { servicePath }: Ticket): Promise<Service[] | undefined> {
  const levels = await Promise.all(
    servicePath.map((_, depth) => {
      const parent = servicePath[depth - 1];
      return call(listServices, { query: parent ? { parentId: String(parent.id) } : {} });
    }),
  );
  const found = servicePath.map(({ id }, depth) => levels[depth]?.find((service) => service.id === id));
  const services = found.filter((service) => service !== undefined);
  return services.length === servicePath.length && services.at(-1)?.isFinalLevel ? services : undefined;
}

/** Opens the summary with a ticket's service, beneficiary and payment type, at today's price; says so when the service is gone. */
export function useOrderAgain() {
  const call = useCall();
  const toast = useToast();
  const toastFailure = useFailureToast();
  return useAction(async (ticket: Ticket) => {
    try {
      const services = await findPath(call, ticket);
      if (!services)
        return toast({
          title: 'Service indisponible',
          description: 'Ce service n’est plus proposé. Choisissez-en un autre dans le catalogue.',
          destructive: true,
        });
      startOrderDraft(services, {
        beneficiary: ticket.beneficiaryPhoneNumber,
        amount: services.at(-1)?.allowUserPriceInput ? String(ticket.amount) : '',
        paymentType: ticket.paymentTypeName,
      });
      navigate(addresses.summary);
    } catch (error) {
      toastFailure(error, { fallback: 'Impossible de reprendre cette demande. Réessayez.' });
    }
  });
}

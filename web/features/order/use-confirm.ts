import { useLocation } from 'wouter';
import { listServices, type Service } from '#contract/catalogue.ts';
import { listPaymentTypes } from '#contract/payment-types.ts';
import { createTicket, type Ticket } from '#contract/tickets.ts';
import { addresses } from '#web/addresses.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useAction } from '#web/forms/use-action.ts';
import { makeKey, readOrderDraft, updateOrderDraft } from '#web/order-draft.ts';
import { useAuth } from '#web/session/auth.tsx';
import { failureSentence } from '#web/text/failures.ts';
import { formatAmount } from '#web/text/formats.ts';
import { useToast } from '#web/ui/toast.tsx';

export interface Order {
  services: Service[];
  beneficiary: string;
  paymentType: string;
  /** CFA francs. */
  amount: number | undefined;
  total: number | undefined;
}

/** Files the order under its own key, so that the same order makes one ticket however often its answer is lost. */
export function useConfirm(onCreated: (ticket: Ticket) => void, onServicesChanged: (services: Service[]) => void) {
  const call = useCall();
  const { user } = useAuth();
  const [, navigate] = useLocation();
  const refresh = useRefresh();
  const toast = useToast();
  const refuse = (title: string, description?: string) =>
    toast({ title, destructive: true, ...(description && { description }) });

  /** The path as the catalogue has it now, so that the screen shows the new price. */
  async function reload(services: Service[]) {
    const levels = await Promise.all(
      services.map((service) =>
        call(listServices, { query: service.parentId ? { parentId: String(service.parentId) } : {} }),
      ),
    );
    const fresh = services.map((service, index) => levels[index]?.find((each) => each.id === service.id) ?? service);
    updateOrderDraft({ services: fresh });
    onServicesChanged(fresh);
    await refresh(listServices);
  }

  return useAction(async (order: Order) => {
    const service = order.services.at(-1) as Service;
    if (!user || user.isGuest) {
      updateOrderDraft({ resume: true });
      refuse('Connexion requise', 'Veuillez vous connecter pour continuer.');
      return navigate(addresses.auth);
    }
    if (!order.paymentType) return refuse('Type de paiement requis', 'Veuillez choisir un type de paiement.');
    if (!order.beneficiary.trim())
      return refuse('Numéro de téléphone requis', 'Veuillez saisir le numéro du bénéficiaire.');
    if (service.allowUserPriceInput && order.amount === undefined)
      return refuse('Prix requis', 'Veuillez saisir un prix pour ce service.');
    if (order.total === undefined)
      return refuse('Erreur', 'Le total n’est pas encore connu. Réessayez dans un instant.');
    // As specified it also says what the server decides itself and does not read: names, prices, levels, status.
    const body = {
      userId: user.id,
      serviceId: service.id,
      servicePath: order.services.map(({ id, name, price, level }) => ({ id, name, price, level })),
      beneficiaryPhoneNumber: order.beneficiary,
      paymentTypeName: order.paymentType,
      totalPrice: String(order.total),
      userPrice: service.allowUserPriceInput ? order.amount : undefined,
      status: 'pending',
    };
    try {
      const ticket = await call(createTicket, { body, idempotencyKey: readOrderDraft()?.key ?? makeKey() });
      onCreated(ticket);
    } catch (error) {
      if (hasCode(error, 'KEY_REUSED')) updateOrderDraft({ key: makeKey() });
      if (hasCode(error, 'PRICE_CHANGED')) {
        await reload(order.services).catch(() => {});
        const total = error.failure.expectedTotal;
        return refuse(
          'Le prix a changé.',
          total ? `Nouveau total : ${formatAmount(total)}. Confirmez à nouveau.` : undefined,
        );
      }
      if (hasCode(error, 'PAYMENT_TYPE_UNAVAILABLE')) await refresh(listPaymentTypes);
      refuse('Erreur', failureSentence(error, "Une erreur s'est produite lors de la création de votre demande."));
    }
  });
}

import { useState } from 'react';
import { useLocation } from 'wouter';
import { listServices, type Service } from '#contract/catalogue.ts';
import { createTicket, type Ticket } from '#contract/tickets.ts';
import { useAuth } from '#web/api/session.tsx';
import { useAction } from '#web/api/use-action.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { updateChosenPath } from '#web/chosen-path.ts';
import { paths } from '#web/paths.ts';
import { failureSentence, hasCode } from '#web/text/failures.ts';
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

/** 128 random bits; `randomUUID` exists on secure pages only. */
function makeKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Files the order. One key per visit: however often an answer is lost, the same request makes one ticket. */
export function useConfirm(onCreated: (ticket: Ticket) => void, onServicesChanged: (services: Service[]) => void) {
  const { user, call } = useAuth();
  const [, navigate] = useLocation();
  const refresh = useRefresh();
  const toast = useToast();
  const [key, setKey] = useState(makeKey);
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
    updateChosenPath({ services: fresh });
    onServicesChanged(fresh);
    await refresh(listServices);
  }

  return useAction(async (order: Order) => {
    const service = order.services.at(-1) as Service;
    if (!user || user.isGuest) {
      updateChosenPath({ resume: true });
      refuse('Connexion requise', 'Veuillez vous connecter pour continuer.');
      return navigate(paths.auth);
    }
    if (!order.paymentType) return refuse('Type de paiement requis', 'Veuillez choisir un type de paiement.');
    if (!order.beneficiary.trim())
      return refuse('Numéro de téléphone requis', 'Veuillez saisir le numéro du bénéficiaire.');
    if (service.allowUserPriceInput && order.amount === undefined)
      return refuse('Prix requis', 'Veuillez saisir un prix pour ce service.');
    if (order.total === undefined)
      return refuse('Erreur', 'Le total n’est pas encore connu. Réessayez dans un instant.');
    try {
      const ticket = await call(createTicket, {
        idempotencyKey: key,
        body: {
          userId: user.id,
          serviceId: service.id,
          servicePath: order.services.map(({ id, name, price, level }) => ({ id, name, price, level })),
          beneficiaryPhoneNumber: order.beneficiary,
          paymentTypeName: order.paymentType,
          totalPrice: String(order.total),
          ...(service.allowUserPriceInput && { userPrice: order.amount }),
          status: 'pending',
        } as Parameters<typeof call<typeof createTicket>>[1]['body'],
      });
      onCreated(ticket);
    } catch (error) {
      if (hasCode(error, 'KEY_REUSED')) setKey(makeKey());
      if (hasCode(error, 'PRICE_CHANGED')) {
        await reload(order.services).catch(() => {});
        const total = error.failure.expectedTotal;
        return refuse(
          'Le prix a changé.',
          total ? `Nouveau total : ${formatAmount(total)}. Confirmez à nouveau.` : undefined,
        );
      }
      refuse('Erreur', failureSentence(error, "Une erreur s'est produite lors de la création de votre demande."));
    }
  });
}

import { useRef, useState } from 'react';
import { listCatalogue, listServices, readCommission, type Service } from '#contract/catalogue.ts';
import { findDoubts } from '#contract/order-doubts.ts';
import { listPaymentTypes } from '#contract/payment-types.ts';
import { defaultCountryCode } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { createTicket, listUserTickets, type Ticket } from '#contract/tickets.ts';
import { addresses } from '#web/addresses.ts';
import { hasCode, makeKey } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useAddRow } from '#web/api/use-list.ts';
import { useRefresh } from '#web/api/use-refresh.ts';
import type { FieldErrors, Reading } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { keepTyped, readTyped } from '#web/forms/use-kept.ts';
import { readOrderDraft, updateOrderDraft } from '#web/order-draft.ts';
import { navigate } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { failureSentence } from '#web/text/failures.ts';
import { formatAmount } from '#web/text/formats.ts';
import { useToast } from '#web/ui/toast.tsx';
import type { ShownPrice } from './use-price.ts';

interface Order {
  services: Service[];
  beneficiary: string;
  paymentType: string;
  price: Pick<ShownPrice, 'amount' | 'requireTotal'>;
  /** What is wrong with the typed amount. */
  amountProblem: string | undefined;
  /** The person's tickets, newest first, as far as they are known. */
  earlier: readonly Ticket[];
}

/** Who orders, and for which number, in E.164. */
interface Parties {
  userId: number;
  payerCountry: string;
  beneficiary: string;
}

interface Handlers {
  onCreated: (ticket: Ticket) => void;
  onServicesChanged: (services: Service[]) => void;
}

/** Reads the order with the refusals of P7.7 in their order, and a wrong number before a missing price; a guest's typed values first. */
function useOrderReading(order: Order) {
  const { user } = useAuth();
  const toast = useToast();
  /** Shows a toast; the errors are those of the fields that can show it too. */
  const refuse = (title: string, description?: string, errors: FieldErrors = {}) => {
    toast({ title, destructive: true, ...(description && { description }) });
    return { errors };
  };

  const sendToSignIn = () => {
    updateOrderDraft({ resume: true });
    // A guest has no account yet, and mostly orders for the own number.
    if (user?.isGuest) {
      keepTyped('auth', { tab: 'Inscription' });
      const typed = readTyped('sign-up');
      if (!typed.phone) keepTyped('sign-up', { ...typed, phone: order.beneficiary });
    }
    navigate(addresses.auth, { step: true });
    // The next step, and no failure.
    toast({ title: 'Connexion requise', description: 'Veuillez vous connecter pour continuer.', neutral: true });
    return { errors: {} };
  };

  const read = (): Reading<Parties> => {
    const countryCode = user?.countryCode ?? defaultCountryCode;
    const reading = readPhone(order.beneficiary, countryCode);
    const isEmpty = !order.beneficiary.trim();
    if (!user || user.isGuest) {
      if (!isEmpty && 'problem' in reading) return { errors: { beneficiary: reading.problem } };
      return order.amountProblem ? { errors: { amount: order.amountProblem } } : sendToSignIn();
    }
    if (!order.paymentType) return refuse('Type de paiement requis', 'Veuillez choisir un type de paiement.');
    if (isEmpty) {
      const beneficiary = 'Veuillez saisir le numéro du bénéficiaire.';
      return refuse('Numéro de téléphone requis', beneficiary, { beneficiary });
    }
    if ('problem' in reading) return { errors: { beneficiary: reading.problem } };
    if (order.services.at(-1)?.allowUserPriceInput && order.price.amount === undefined) {
      const amount = 'Veuillez saisir un prix pour ce service.';
      return refuse('Prix requis', amount, { amount });
    }
    return { data: { userId: user.id, payerCountry: countryCode, beneficiary: reading.e164 } };
  };
  return { read, refuse, sendToSignIn };
}

/**
 * The form that files the order under its idempotency key. What a field can show is refused there before anything is sent (P7.14);
 * what the person may not mean is a question (P7.18). `errors.refused` repeats the failure of the last try.
 */
export function useConfirm(order: Order, { onCreated, onServicesChanged }: Handlers) {
  const call = useCall();
  const refresh = useRefresh();
  const add = useAddRow(listUserTickets);
  const isCreated = useRef(false);
  const service = order.services.at(-1) as Service;
  const { read, refuse, sendToSignIn } = useOrderReading(order);
  const [doubts, setDoubts] = useState<string[]>([]);
  const confirmedDoubts = useRef<string[]>([]);

  /** Reloads the path and the commission, so that the screen shows the new price. */
  async function reload(services: Service[]) {
    const catalogue = await call(listCatalogue, {});
    const fresh = services.map((service) => catalogue.find(({ id }) => id === service.id) ?? service);
    updateOrderDraft({ services: fresh });
    onServicesChanged(fresh);
    await refresh(listServices, listCatalogue, readCommission);
  }

  const send = async ({ userId, payerCountry, beneficiary }: Parties) => {
    // A second tap that came while the answer was on its way is done after it, before the dialog covers the button.
    if (isCreated.current) return;
    const total = await order.price.requireTotal();
    if (total === undefined) return;
    const path = order.services.map(({ name }) => name);
    const found = findDoubts({ serviceId: service.id, path, beneficiary, total, payerCountry }, order.earlier);
    if (found.some((doubt) => !confirmedDoubts.current.includes(doubt))) return setDoubts(found);
    // The body includes names, prices, levels and status, which the server ignores and decides itself (P8.5).
    const body = {
      userId,
      serviceId: service.id,
      servicePath: order.services.map(({ id, name, price, level }) => ({ id, name, price, level })),
      beneficiaryPhoneNumber: order.beneficiary,
      paymentTypeName: order.paymentType,
      totalPrice: String(total),
      userPrice: service.allowUserPriceInput ? order.price.amount : undefined,
      status: 'pending',
    };
    try {
      const ticket = await call(createTicket, { body, idempotencyKey: readOrderDraft()?.key ?? makeKey() });
      isCreated.current = true;
      onCreated(ticket);
      // The ticket list is then drawn with it, and does not move when it is read again.
      add(ticket);
      void refresh(listUserTickets);
    } catch (error) {
      if (hasCode(error, 'NOT_SIGNED_IN')) return void sendToSignIn();
      if (hasCode(error, 'KEY_REUSED')) updateOrderDraft({ key: makeKey() });
      if (hasCode(error, 'PRICE_CHANGED')) {
        const { expectedTotal } = error.failure;
        // Where that fails the next try does it again.
        await reload(order.services).catch(() => {});
        const title = 'Le prix a changé.';
        const next = expectedTotal && `Nouveau total\u00a0: ${formatAmount(expectedTotal)}. Confirmez à nouveau.`;
        refuse(title, next || undefined);
        return setErrors({ refused: next ? `${title} ${next}` : title });
      }
      if (hasCode(error, 'PAYMENT_TYPE_UNAVAILABLE') || hasCode(error, 'NOT_PAYABLE')) await refresh(listPaymentTypes);
      throw error;
    }
  };

  const fallback = "Une erreur s'est produite lors de la création de votre demande.";
  const { setErrors, ...confirm } = useForm({
    read,
    send,
    failure: (error) => ({ words: { fallback }, errors: { refused: failureSentence(error, fallback) } }),
  });
  const answerDoubts = (isConfirmed: boolean) => {
    if (isConfirmed) confirmedDoubts.current = doubts;
    setDoubts([]);
    if (isConfirmed) confirm.form.ref.current?.requestSubmit();
  };
  return { ...confirm, doubts, answerDoubts };
}

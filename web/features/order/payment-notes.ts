import { isOfferedIn, planDialCode, walletsOf } from '#contract/dial-code.ts';
import { paysNobody } from '#contract/dialling.ts';
import type { PaymentType } from '#contract/payment-types.ts';
import { operatorOf } from '#contract/phone-operators.ts';

/** Who pays for what: all that decides which code a payment type leads to, and how likely it is chosen. */
export interface Payer {
  /** Empty while it is unknown, as a guest's is. */
  countryCode: string;
  /** E.164; empty for a guest. */
  phone: string;
  /** The dial template of the chosen service. */
  serviceTemplate: string | null;
  /** The name of the payment type of the last order. */
  lastUsed: string | undefined;
}

export interface PaymentOption {
  type: PaymentType;
  /** It has no code for this service, and others have: it stands below them, folded. */
  isOther: boolean;
  /** It was offered when the screen opened, and is no more. */
  isGone: boolean;
  /** The operator whose SIM dials its code, if known. */
  sim: string | undefined;
  /** Why there is no code to dial. */
  lack: string | undefined;
  /** Its code pays nobody: it is given as an example, or the order is refused (P8.13). */
  example: 'given' | 'refused' | undefined;
}

/**
 * The payment types of the payer's country as they are likely chosen (P7.5): the wallet that the service's own code is of,
 * the last used, the own operator's; those without a code apart, where others have one. All of them for a guest.
 */
export function listPaymentOptions(types: readonly PaymentType[], payer: Payer): PaymentOption[] {
  const { countryCode: country, serviceTemplate } = payer;
  const unknown = { isOther: false, isGone: false, sim: undefined, lack: undefined, example: undefined };
  if (!country) return types.map((type) => ({ type, ...unknown }));
  const wallets = walletsOf(types);
  const operator = operatorOf(payer.phone)?.toLowerCase();
  const offered = types
    .filter((type) => isOfferedIn(type, country))
    .map((type) => {
      const hasMerchant = type.merchantCountries.some((each) => each === country);
      const plan = planDialCode(serviceTemplate, { paymentType: type, country, hasMerchant }, wallets);
      const isExample = plan.template !== null && paysNobody(plan.template, hasMerchant);
      const isOwn = operator !== undefined && type.operator?.toLowerCase().includes(operator);
      const place = plan.template === null ? 8 : plan.own ? 4 : 0;
      return { type, plan, isExample, rank: place + Number(type.name !== payer.lastUsed) * 2 + Number(!isOwn) };
    });
  const hasCodes = offered.some(({ plan }) => plan.template !== null);
  return offered
    .sort((a, b) => a.rank - b.rank)
    .map(({ type, plan: { template, operator }, isExample }) => ({
      type,
      isOther: hasCodes && template === null,
      isGone: false,
      sim: operator ?? undefined,
      lack: template === null ? lackOf(type, country) : undefined,
      example: isExample ? (type.refusesExamples ? 'refused' : 'given') : undefined,
    }));
}

function lackOf({ name, dialTemplates }: PaymentType, country: string): string {
  const own = dialTemplates.find((each) => each.country === country);
  return own?.state === 'broken'
    ? (own.message ?? `${name}\u00a0: son code est en panne.`)
    : `${name}\u00a0: pas de code pour ce service.`;
}

/** The options where they stood when the screen opened, with what is known of them now; new ones come last. */
export function keepPlaces(opened: readonly PaymentOption[], now: readonly PaymentOption[]): PaymentOption[] {
  const isSame = (a: PaymentOption) => (b: PaymentOption) => a.type.id === b.type.id;
  return [
    ...opened.map((place) => {
      const found = now.find(isSame(place));
      return found ? { ...found, isOther: place.isOther } : { ...place, isGone: true };
    }),
    ...now.filter((option) => !opened.some(isSame(option))).map((option) => ({ ...option, isOther: true })),
  ];
}

import { planDialCode } from '#contract/dial-code.ts';
import type { PaymentType } from '#contract/payment-types.ts';
import { operatorOf } from '#contract/phone-operators.ts';

/** Who pays for what: all that decides which code a payment type leads to, and how likely it is chosen. */
export interface Payer {
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
  /** Shown on a type that leads to no code of its own. */
  warning: string | undefined;
  /** Shown once it is chosen: what will be dialled, from which SIM. */
  note: string | undefined;
}

/** The payment types as they are likely chosen (P7.15): of the payer's country, the last used, of the own operator; last those without a code. */
export function listPaymentOptions(types: readonly PaymentType[], payer: Payer): PaymentOption[] {
  const wallets = types.flatMap((type) => {
    const own = templateFor(type, payer);
    if (!own) return [];
    return [
      { paymentTypeId: type.id, operator: type.operator, template: own.template, isBroken: own.state === 'broken' },
    ];
  });
  const operator = operatorOf(payer.phone);
  const rank = (type: PaymentType, { warning }: Pick<PaymentOption, 'warning'>) => {
    const isNear = type.countries.length === 0 || type.countries.some((code) => code === payer.countryCode);
    const isOwn = operator !== undefined && type.operator?.toLowerCase().includes(operator.toLowerCase());
    return (
      Number(Boolean(warning)) * 8 + Number(!isNear) * 4 + Number(type.name !== payer.lastUsed) * 2 + Number(!isOwn)
    );
  };
  return types
    .map((type) => ({ type, ...notesOf(type, payer, planDialCode(payer.serviceTemplate, type.id, wallets)) }))
    .sort((a, b) => rank(a.type, a) - rank(b.type, b));
}

/** An answer that an earlier version kept on the phone has no templates. */
const templateFor = ({ dialTemplates = [] }: Partial<Pick<PaymentType, 'dialTemplates'>>, { countryCode }: Payer) =>
  dialTemplates.find(({ country }) => country === countryCode);

function notesOf(
  type: PaymentType,
  payer: Payer,
  { template, operator, isOfOther }: ReturnType<typeof planDialCode>,
): Omit<PaymentOption, 'type'> {
  const own = templateFor(type, payer);
  const broken = own?.state === 'broken' ? (own.message ?? 'Son code est en panne.') : undefined;
  if (isOfOther) {
    const why = broken ?? `${type.name} n'a pas de code à composer ici.`;
    return {
      warning: broken ? 'Code en panne' : 'Sans code pour ce service',
      note: `${why} Le code de ce service se compose depuis une SIM ${operator ?? "d'un autre opérateur"}.`,
    };
  }
  if (template === null)
    return {
      warning: broken && 'Code en panne',
      note: `${broken ?? 'Sans code à composer.'} Un agent traitera votre demande.`,
    };
  return { warning: undefined, note: operator ? `Depuis votre SIM ${operator}` : undefined };
}

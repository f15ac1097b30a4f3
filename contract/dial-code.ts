/**
 * Dial templates (P8.7): `XX` and `{montant}` are the total in CFA francs, `{service}` the service's id.
 * `{beneficiaire}` is the beneficiary's number in local digits: operators silently refuse `+226…` inside a code.
 * `{marchand}` is the merchant number of a payment type's own template (P8.10).
 */
const placeholder = /XX|\{montant\}|\{beneficiaire\}|\{service\}|\{marchand\}/g;
const ussd = /^[*#][0-9*#]*[0-9][0-9*#]*#$/;
/** ITU E.164; the network takes one or two digits for a request to itself (3GPP TS 22.030, 6.5.3.2). */
const phoneNumber = /^\+?\d{3,15}$/;
/**
 * How a code to pay begins: with a wallet's short code, three digits after one mark. Two marks, two digits, and the ranges
 * left out here are the network's own, such as forwarding, barring and PIN (3GPP TS 22.030, 6.5 and annex B); longer numbers
 * are the phone's own, such as a reset.
 */
const payingCode = /^[*#](?!0|214|3[03567]|59|75)\d{3}[*#]/;
/** The sign that ends a code, and the beginning of another one. */
const secondCode = /#[*#]/;
const asksForSecret = /pin|secret|passe|mdp|code/i;

export interface DialValues {
  /** CFA francs. */
  total: number;
  /** National digits. */
  beneficiary: string;
  serviceId: number;
  /** Digits; of a payment type's own template only. */
  merchant?: string;
}

/** The merchant number of the starter's codes: no operator gives it out, so nobody is paid before the operator is set up. */
export const placeholderMerchant = '00000000';

/** The code to dial, with every placeholder filled and the spaces of a written phone number removed. */
export function fillDialTemplate(template: string, values: DialValues): string {
  const fill: Record<string, string> = {
    XX: String(values.total),
    '{montant}': String(values.total),
    '{beneficiaire}': values.beneficiary,
    '{service}': String(values.serviceId),
    ...(values.merchant && { '{marchand}': values.merchant }),
  };
  return template.replace(/\s/g, '').replace(placeholder, (name) => fill[name] ?? name);
}

/**
 * Why a template is refused, in French, or `undefined` when it always fills to a code a phone can dial. A service's
 * template has no `merchant`.
 */
export function dialTemplateProblem(template: string, merchant?: string): string | undefined {
  if (template.length > 80) return 'Le code est limité à 80 caractères.';
  if (asksForSecret.test(template))
    return "Le code ne doit jamais contenir de code secret : l'opérateur le demande lui-même.";
  if (merchant === '' && template.includes('{marchand}')) return 'Ce code demande un numéro marchand.';
  const sample = { total: 1500, beneficiary: '70123456', serviceId: 1 };
  const filled = fillDialTemplate(template, merchant === undefined ? sample : { ...sample, merchant });
  if (/[{}X]/i.test(filled))
    return `Repères acceptés : XX, {montant}, {beneficiaire}${merchant === undefined ? '' : ', {marchand}'} et {service}.`;
  if (!ussd.test(filled) && !phoneNumber.test(template.replace(/\s/g, '')))
    return 'Écrivez un numéro de téléphone, ou un code qui commence par * ou # et finit par #.';
  if (secondCode.test(filled)) return 'Un seul code : après un #, un * ou un autre # en commencerait un second.';
  if (!isSafeToDial(template))
    return 'Un code à payer commence par les trois chiffres de son portefeuille, comme *144* ou #150*. Les codes du réseau et du téléphone (renvoi, blocage, PIN, réinitialisation) sont refusés.';
  return undefined;
}

/** Whether a template, or a filled code, calls a number or is one code to pay: never what changes a line or a phone. */
export function isSafeToDial(code: string): boolean {
  const dialled = code.replace(/\s/g, '');
  return (payingCode.test(dialled) && !secondCode.test(dialled)) || phoneNumber.test(dialled);
}

/** Whether the code depends on the amount. */
export function needsAmount(template: string): boolean {
  return /XX|\{montant\}/.test(template);
}

/** A link that opens the phone's dialler with the code. `#` is written %23: the dialler drops everything after a plain `#`. */
export function dialHref(code: string): string {
  return `tel:${encodeURIComponent(code)}`;
}

/** A payment type's own dial template in one country. */
export interface WalletTemplate {
  paymentTypeId: number;
  country: string;
  /** Whose SIM dials it. */
  operator: string | null;
  template: string;
  /** People must not dial it (P8.12). */
  isBroken: boolean;
}

interface DialPlan<Wallet> {
  /** The template to fill; null without a code. */
  template: string | null;
  /** The payment type's own template, where that is the one to fill. */
  own: Wallet | undefined;
  /** The operator whose SIM knows the code; null where that is unknown. */
  operator: string | null;
}

/** How a person pays: by a type, in the country of their own number. */
interface Payment {
  paymentType: { id: number; countries: readonly string[] };
  country: string;
}

/** Whether a payment type is for a country. One without countries is for all. */
export const isOfferedIn = ({ countries }: { countries: readonly string[] }, country: string): boolean =>
  countries.length === 0 || countries.includes(country);

/**
 * Which code pays a service, given the wallets of all countries (P8.10). The network answers to the short code of a code: 144
 * of `*144*10*…`. The service's own code is given where it is the chosen wallet's here, of no wallet anywhere, or a number to
 * call; else the chosen wallet's own; never another's. A stored template that is not safe to dial counts as none.
 */
export function planDialCode<Wallet extends WalletTemplate>(
  serviceTemplate: string | null,
  { paymentType, country }: Payment,
  storedWallets: readonly Wallet[],
): DialPlan<Wallet> {
  const none = { template: null, own: undefined, operator: null };
  if (!isOfferedIn(paymentType, country)) return none;
  const wallets = storedWallets.filter(({ template }) => isSafeToDial(template));
  const chosen = wallets.find((each) => each.paymentTypeId === paymentType.id && each.country === country);
  if (serviceTemplate && isSafeToDial(serviceTemplate)) {
    const shortCode = shortCodeOf(serviceTemplate);
    const isPlain = !shortCode || wallets.every(({ template }) => shortCodeOf(template) !== shortCode);
    if (isPlain || (chosen && isOfWallet(serviceTemplate, chosen, wallets)))
      return { template: serviceTemplate, own: undefined, operator: isPlain ? null : (chosen?.operator ?? null) };
  }
  return chosen && !chosen.isBroken ? { template: chosen.template, own: chosen, operator: chosen.operator } : none;
}

/** The digits after a USSD code's first mark; undefined of a phone number. */
const shortCodeOf = (template: string) => /^\s*[*#](\d+)/.exec(template)?.[1];

/** Whether a code has a wallet's short code, and begins no more like that of another wallet or country: Orange's are all 144. */
function isOfWallet(code: string, wallet: WalletTemplate, wallets: readonly WalletTemplate[]): boolean {
  const likeness = ({ template }: WalletTemplate) => {
    const differs = [...template].findIndex((character, place) => character !== code[place]);
    return differs === -1 ? template.length : differs;
  };
  return (
    shortCodeOf(code) === shortCodeOf(wallet.template) && wallets.every((other) => likeness(other) <= likeness(wallet))
  );
}

import { type Country, countries, formatPhone } from './phone.ts';

/**
 * Dial templates (P8.7): `XX` and `{montant}` are the total in CFA francs, `{service}` the service's id.
 * `{beneficiaire}` is the beneficiary's number in local digits: operators silently refuse `+226…` inside a code.
 * `{marchand}` is the merchant number of the chosen payment type in the payer's country (P18.7).
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
/** Operators' own numbers, such as 144 and 3030. */
const shortNumber = /^[1-9]\d{2,4}$/;
const asksForSecret = /pin|secret|passe|mdp|code/i;

export interface DialValues {
  /** CFA francs. */
  total: number;
  /** National digits. */
  beneficiary: string;
  serviceId: number;
  /** Digits; where there are none, the example's. */
  merchant?: string | undefined;
}

/** Stands for a merchant number that is not given yet. No operator gives it out, so nobody is paid. */
export const placeholderMerchant = '00000000';

/** Whether one part of a code is the example's merchant number. Of a template, also where it asks for one that is not given. */
export function paysNobody(code: string, hasMerchant = true): boolean {
  return /[*#]\s*00000000\s*[*#]/.test(code) || (!hasMerchant && code.includes('{marchand}'));
}

/** The code to dial, with every placeholder filled and the spaces of a written phone number removed. */
export function fillDialTemplate(template: string, values: DialValues): string {
  const fill: Record<string, string> = {
    XX: String(values.total),
    '{montant}': String(values.total),
    '{beneficiaire}': values.beneficiary,
    '{service}': String(values.serviceId),
    '{marchand}': values.merchant ?? placeholderMerchant,
  };
  return template.replace(/\s/g, '').replace(placeholder, (name) => fill[name] ?? name);
}

/** Why a template is refused, in French, or `undefined` when it always fills to a code a phone can dial. */
export function dialTemplateProblem(template: string): string | undefined {
  if (template.length > 80) return 'Le code est limité à 80 caractères.';
  if (asksForSecret.test(template))
    return "Le code ne doit jamais contenir de code secret : l'opérateur le demande lui-même.";
  const filled = fillDialTemplate(template, { total: 1500, beneficiary: '70123456', serviceId: 1 });
  if (/[{}X]/i.test(filled)) return 'Repères acceptés : XX, {montant}, {beneficiaire}, {marchand} et {service}.';
  const dialled = template.replace(/\s/g, '');
  if (phoneNumber.test(dialled)) return numberProblem(dialled);
  if (!ussd.test(filled)) return 'Écrivez un numéro de téléphone, ou un code qui commence par * ou # et finit par #.';
  if (secondCode.test(filled)) return 'Un seul code : après un #, un * ou un autre # en commencerait un second.';
  if (!isSafeToDial(template))
    return 'Un code à payer commence par les trois chiffres de son portefeuille, comme *144* ou #150*. Les codes du réseau et du téléphone (renvoi, blocage, PIN, réinitialisation) sont refusés.';
  return undefined;
}

/**
 * Why digits are no number to call, in French: it is one of the seven countries, or an operator's short one. A spreadsheet drops
 * the 0 and the plus in front, so a number without country that another one may have become is refused too.
 */
function numberProblem(dialled: string): string | undefined {
  if (shortNumber.test(dialled)) return undefined;
  const full = dialled.replace(/^00/, '+');
  const [asWritten, dropped] = [readings(full), [...readings(`0${full}`), ...readings(`+${full}`)]];
  if (asWritten.length > 0 && dropped.length === 0) return undefined;
  const meant = [...asWritten, ...dropped].map(formatPhone).join(' ou ');
  return meant
    ? `Écrivez ce numéro avec son indicatif : ${meant} ?`
    : "Ce numéro n'est d'aucun des sept pays : écrivez-le avec son indicatif, comme +226 70 12 34 56.";
}

/** The numbers that digits may be, in E.164: one if international, else one for each country that has it. */
function readings(digits: string): string[] {
  return countries
    .map((country) => ({ country, e164: digits.startsWith('+') ? digits : country.code + digits }))
    .filter(
      ({ country, e164 }) => e164.startsWith(country.code) && isNational(e164.slice(country.code.length), country),
    )
    .map(({ e164 }) => e164);
}

/** Whether digits are a mobile number of the country, or have the length and the beginning of a fixed one. */
function isNational(digits: string, { mobile, groups }: Country): boolean {
  const length = groups.reduce((sum, size) => sum + size, 0);
  return mobile.test(digits) || (digits.length === length && /^(?:2|3|012)/.test(digits));
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

/** A payment type's own dial template in the payer's country. */
export interface WalletTemplate {
  paymentTypeId: number;
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
  /** The code is of another wallet than the chosen payment type's, which has none. */
  isOfOther: boolean;
}

/**
 * Which code pays a service by a payment type (P8.10). The service's own code wins where it belongs to that wallet, or where
 * the wallet has none. The network answers to the short code of a code: 144 of `*144*10*…`. A stored template that is not
 * safe to dial counts as none.
 */
export function planDialCode<Wallet extends WalletTemplate>(
  storedTemplate: string | null,
  paymentTypeId: number,
  storedWallets: readonly Wallet[],
): DialPlan<Wallet> {
  const serviceTemplate = storedTemplate && isSafeToDial(storedTemplate) ? storedTemplate : null;
  const wallets = storedWallets.filter(({ template }) => isSafeToDial(template));
  const chosen = wallets.find((each) => each.paymentTypeId === paymentTypeId);
  const own = chosen?.isBroken ? undefined : chosen;
  const shortCode = shortCodeOf(serviceTemplate ?? '');
  const same = wallets.filter(({ template }) => shortCode !== undefined && shortCodeOf(template) === shortCode);
  const isOfChosen = chosen !== undefined && same.includes(chosen);
  if (!serviceTemplate || (own && shortCode !== undefined && !isOfChosen))
    return { template: own?.template ?? null, own, operator: own?.operator ?? null, isOfOther: false };
  const operator = (isOfChosen ? chosen : same[0])?.operator ?? null;
  return { template: serviceTemplate, own: undefined, operator, isOfOther: same.length > 0 && !isOfChosen };
}

/** The digits after a USSD code's first mark; undefined of a phone number. */
const shortCodeOf = (template: string) => /^\s*[*#](\d+)/.exec(template)?.[1];

import { placeholderMerchant } from './dialling.ts';
import { type Country, countries, formatPhone } from './phone.ts';

/**
 * Placeholders of dial templates (P8.7). `XX` and `{montant}` are the total in CFA francs, `{service}` the service's id. `{beneficiaire}`
 * is the beneficiary's number in national digits: operators silently refuse `+226…` inside a code. `{marchand}` is the merchant number of
 * the chosen payment type in the payer's country (P18.7).
 */
const placeholder = /XX|\{montant\}|\{beneficiaire\}|\{service\}|\{marchand\}/g;
const ussd = /^[*#][0-9*#]*[0-9][0-9*#]*#$/;
/** ITU E.164; the network takes one or two digits for a request to itself (3GPP TS 22.030, 6.5.3.2). */
const phoneNumber = /^\+?\d{3,15}$/;
/**
 * The beginning of a payment code: a wallet's short code, three digits after one mark. Two marks, two digits and the excluded ranges are
 * the network's own, such as forwarding and barring (3GPP TS 22.030, 6.5 and annex B). Longer numbers are the phone's own, such as a
 * reset.
 */
const payingCode = /^[*#](?!0|214|3[03567]|59|75)\d{3}[*#]/;
/** The end of a code followed by the beginning of another one. */
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
  /** Digits; without a number the example's are used. */
  merchant?: string | undefined;
}

/** The refusal of an order whose code pays nobody (P8.13). */
export const notPayable = 'Ce service ne peut pas encore être payé ici.';

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

/** Why a template is refused, in French; `undefined` if it always fills to a code that a phone can dial. */
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
 * Why digits are no phone number, in French; valid are numbers of the seven countries and operators' short ones. A spreadsheet drops a
 * leading 0 or plus. So a national number that may be the rest of another one is refused too.
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

/** The E.164 numbers that digits may mean: one if international, else one for each country that has it. */
function readings(digits: string): string[] {
  return countries
    .map((country) => ({ country, e164: digits.startsWith('+') ? digits : country.code + digits }))
    .filter(
      ({ country, e164 }) => e164.startsWith(country.code) && isNational(e164.slice(country.code.length), country),
    )
    .map(({ e164 }) => e164);
}

/** Whether digits are a mobile number of the country, or have a fixed number's length and beginning. */
function isNational(digits: string, { mobile, groups }: Country): boolean {
  const length = groups.reduce((sum, size) => sum + size, 0);
  return mobile.test(digits) || (digits.length === length && /^(?:2|3|012)/.test(digits));
}

/** Whether a template or a code only calls a number or pays: codes that change a line or a phone are unsafe. */
export function isSafeToDial(code: string): boolean {
  const dialled = code.replace(/\s/g, '');
  return (payingCode.test(dialled) && !secondCode.test(dialled)) || phoneNumber.test(dialled);
}

/** Whether the code depends on the amount. */
export function needsAmount(template: string): boolean {
  return /XX|\{montant\}/.test(template);
}

/** A payment type's own dial template in one country. */
export interface WalletTemplate {
  paymentTypeId: number;
  country: string;
  /** The operator whose SIM dials it. */
  operator: string | null;
  template: string;
  /** People must not dial it (P8.12). */
  isBroken: boolean;
}

/** The wallets of payment types: one per template. */
export const walletsOf = (
  types: readonly {
    id: number;
    operator: string | null;
    dialTemplates: readonly { country: string; template: string; state: string }[];
  }[],
): WalletTemplate[] =>
  types.flatMap(({ id, operator, dialTemplates }) =>
    dialTemplates.map(({ country, template, state }) => ({
      paymentTypeId: id,
      country,
      operator,
      template,
      isBroken: state === 'broken',
    })),
  );

interface DialPlan<Wallet> {
  /** The template to fill; null without a code. */
  template: string | null;
  /** The payment type's own template, if it is the one to fill. */
  own: Wallet | undefined;
  /** The operator whose SIM dials the code; null if unknown. */
  operator: string | null;
}

/** How a person pays: by a type, in the country of their own number. */
interface Payment {
  paymentType: { id: number; countries: readonly string[] };
  country: string;
  /** Whether the type has a merchant number in that country. */
  hasMerchant: boolean;
}

/** Whether a payment type is offered in a country. One without countries is offered in all. */
export const isOfferedIn = ({ countries }: { countries: readonly string[] }, country: string): boolean =>
  countries.length === 0 || countries.includes(country);

/**
 * Chooses the code that pays a service, given the wallets of all countries (P8.10). The network answers to a code's short code: 144 of
 * `*144*10*…`. The service's own code is used if it is the chosen wallet's here, of no wallet anywhere, or a number to call. Otherwise
 * the chosen wallet's own code is used, never another wallet's. With `{marchand}`, a code of no wallet needs a wallet without an own code
 * and with a merchant number: one network's number pays nobody on another. An unsafe stored template counts as none.
 */
export function planDialCode<Wallet extends WalletTemplate>(
  serviceTemplate: string | null,
  { paymentType, country, hasMerchant }: Payment,
  storedWallets: readonly Wallet[],
): DialPlan<Wallet> {
  const none = { template: null, own: undefined, operator: null };
  if (!isOfferedIn(paymentType, country)) return none;
  const wallets = storedWallets.filter(({ template }) => isSafeToDial(template));
  const chosen = wallets.find((each) => each.paymentTypeId === paymentType.id && each.country === country);
  if (serviceTemplate && isSafeToDial(serviceTemplate)) {
    const shortCode = shortCodeOf(serviceTemplate);
    const isFree = !serviceTemplate.includes('{marchand}') || (!chosen && hasMerchant);
    const isPlain = !shortCode || (isFree && wallets.every(({ template }) => shortCodeOf(template) !== shortCode));
    if (isPlain || (chosen && isOfWallet(serviceTemplate, chosen, wallets)))
      return { template: serviceTemplate, own: undefined, operator: isPlain ? null : (chosen?.operator ?? null) };
  }
  return chosen && !chosen.isBroken ? { template: chosen.template, own: chosen, operator: chosen.operator } : none;
}

/** The digits after a USSD code's first mark; undefined for a phone number. */
const shortCodeOf = (template: string) => /^\s*[*#](\d+)/.exec(template)?.[1];

/**
 * Whether a code belongs to a wallet: it has its short code, and no other wallet's or country's code shares a longer beginning. Orange's
 * short codes are all 144.
 */
function isOfWallet(code: string, wallet: WalletTemplate, wallets: readonly WalletTemplate[]): boolean {
  const likeness = ({ template }: WalletTemplate) => {
    const differs = [...template].findIndex((character, place) => character !== code[place]);
    return differs === -1 ? template.length : differs;
  };
  return (
    shortCodeOf(code) === shortCodeOf(wallet.template) && wallets.every((other) => likeness(other) <= likeness(wallet))
  );
}

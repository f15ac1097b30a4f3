import { planDialCode, type WalletTemplate, walletsOf } from '#contract/dial-code.ts';
import { paysNobody } from '#contract/dialling.ts';
import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { listReachableServices } from '#server/features/catalogue/store.ts';
import { listPaymentTypes, type OfferedPaymentType } from '#server/features/payment-types/store.ts';

export interface UnpaidCodes {
  /** Payment types whose codes lack a merchant number, with the countries concerned, at least one. */
  wallets: { name: string; countries: string[] }[];
  /** Services whose own code has the example's number. */
  services: { name: string }[];
}

/** Codes that visitors can reach and that pay nobody: of active payment types in their countries, and of visible services. */
export async function listUnpaidCodes(db: Db): Promise<UnpaidCodes> {
  const final = (await listReachableServices(db)).filter(({ isFinalLevel }) => isFinalLevel);
  const codes = [...new Set(final.map(({ phoneNumber }) => phoneNumber))].filter((code) =>
    code?.includes('{marchand}'),
  );
  const types = await listPaymentTypes(db, { all: true });
  const templates = walletsOf(types);
  const active = types.filter(({ isActive }) => isActive);
  const wallets = active.map((type) => {
    const lacking = countries.filter(({ code }) => lacksNumber(type, code, templates, codes));
    return { name: type.name, countries: lacking.map(({ name }) => name) };
  });
  return {
    wallets: wallets.filter((wallet) => wallet.countries.length > 0),
    services: final.filter(({ phoneNumber }) => phoneNumber && paysNobody(phoneNumber)),
  };
}

/** Whether a code of a payment type in a country pays nobody: its own, or one of the services'. */
function lacksNumber(
  type: OfferedPaymentType,
  country: string,
  wallets: readonly WalletTemplate[],
  codes: readonly (string | null)[],
): boolean {
  const hasMerchant = type.merchantCountries.some((each) => each === country);
  return [null, ...(hasMerchant ? [] : codes)].some((code) => {
    const { template } = planDialCode(code, { paymentType: type, country, hasMerchant }, wallets);
    return template !== null && paysNobody(template, hasMerchant);
  });
}

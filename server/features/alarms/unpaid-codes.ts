import { paysNobody, planDialCode } from '#contract/dial-code.ts';
import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { listReachableServices } from '#server/features/catalogue/store.ts';
import { listPaymentTypes, type OfferedPaymentType } from '#server/features/payment-types/store.ts';

export interface UnpaidCodes {
  /** Payment types whose codes have no merchant number in these countries, of which there is one at least. */
  wallets: { name: string; countries: string[] }[];
  /** Services with the example's number in their own code. */
  services: { name: string }[];
}

/** What visitors reach and would pay nobody by: active payment types where they are offered, and visible services. */
export async function listUnpaidCodes(db: Db): Promise<UnpaidCodes> {
  const final = (await listReachableServices(db)).filter(({ isFinalLevel }) => isFinalLevel);
  const codes = [...new Set(final.map(({ phoneNumber }) => phoneNumber))].filter((code) =>
    code?.includes('{marchand}'),
  );
  const types = await listPaymentTypes(db, { all: false });
  const wallets = types.map((type) => {
    const isOffered = ({ code }: { code: string }) =>
      type.countries.length === 0 || type.countries.some((each) => each === code);
    const lacking = countries.filter((country) => isOffered(country) && lacksNumber(type, country.code, types, codes));
    return { name: type.name, countries: lacking.map(({ name }) => name) };
  });
  return {
    wallets: wallets.filter((wallet) => wallet.countries.length > 0),
    services: final.filter(({ phoneNumber }) => phoneNumber && paysNobody(phoneNumber)),
  };
}

/** Whether some code that a payment type leads to in a country pays nobody: its own, or one of the services'. */
function lacksNumber(
  type: OfferedPaymentType,
  country: string,
  types: readonly OfferedPaymentType[],
  codes: readonly (string | null)[],
): boolean {
  const hasMerchant = type.merchantCountries.some((each) => each === country);
  const wallets = types.flatMap(({ id, operator, dialTemplates }) =>
    dialTemplates
      .filter((each) => each.country === country)
      .map(({ template, state }) => ({ paymentTypeId: id, operator, template, isBroken: state === 'broken' })),
  );
  return [null, ...(hasMerchant ? [] : codes)].some((code) => {
    const { template } = planDialCode(code, type.id, wallets);
    return template !== null && paysNobody(template, hasMerchant);
  });
}

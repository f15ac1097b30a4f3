import { beneficiaryNameLength } from '#contract/beneficiaries.ts';
import { readPhone } from '#contract/read-phone.ts';

/** https://www.w3.org/TR/contact-picker/, which phones have and TypeScript does not know. */
interface ContactsManager {
  select(properties: ['name', 'tel'], options: { multiple: false }): Promise<{ name?: string[]; tel?: string[] }[]>;
}

const contacts = (): ContactsManager | undefined => (navigator as Navigator & { contacts?: ContactsManager }).contacts;

export const hasContactPicker = (): boolean => 'contacts' in navigator;

/** The number and name of a contact that the person chooses: in E.164 if one can be served, else its first. `undefined` for none. */
export async function pickContact(countryCode: string): Promise<{ tel: string; name: string } | undefined> {
  const [chosen] = (await contacts()?.select(['name', 'tel'], { multiple: false })) ?? [];
  if (!chosen) return undefined;
  const numbers = chosen.tel ?? [];
  const [served] = numbers.flatMap((tel) => {
    const reading = readPhone(tel, countryCode);
    return 'e164' in reading ? reading.e164 : [];
  });
  // As many whole characters as a name may have.
  let name = '';
  for (const character of chosen.name?.[0]?.trim() ?? '')
    if (name.length + character.length <= beneficiaryNameLength) name += character;
  return { tel: served ?? numbers[0] ?? '', name: name.trim() };
}

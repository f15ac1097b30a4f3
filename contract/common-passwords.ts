/**
 * The most guessed passwords, in lower case: the heads of leaked English and French lists, and words of this product and its countries.
 * They are refused for administrators only. ASVS 6.2.4 asks for 3,000, for every account: see docs/security.md.
 */
const commonPasswords: readonly string[] = [
  '123456 12345678 123456789 1234567890 password motdepasse azerty qwerty 000000 111111 admin123 administrateur guichet guichet123',
  '1234567 0123456789 987654321 654321 112233 121212 123123 123321 222222 555555 666666 777777 888888 999999 00000000 11111111',
  'azertyuiop azerty123 qwertyuiop qwerty123 1q2w3e4r abc123 abcdef password1 passw0rd secret letmein welcome iloveyou jetaime',
  'bonjour bienvenue soleil doudou loulou chouchou chocolat marseille football admin1 adminadmin',
  'burkina ouagadougou abidjan bamako niamey cotonou dakar senegal afrique orange orangemoney mobilemoney',
].flatMap((line) => line.split(' '));

const known: ReadonlySet<string> = new Set(commonPasswords);

export const isCommonPassword = (password: string): boolean => known.has(password.trim().toLowerCase());

/** What people type, folded and in the singular, and the words of services' names that mean it. The only table of synonyms. */
const meanings: [typed: string, named: string][] = [
  ['recharge recharger unite airtime seddo telephone', 'credit,recharge'],
  ['credit', 'recharge'],
  ['data mega giga megas connexion wifi pass', 'internet'],
  ['courant lumiere cashpower compteur woyofal isago', 'electricite'],
  ['robinet', 'eau'],
  ['canal canal+ tele tv decodeur startimes abonnement reabonnement', 'television,bouquet'],
  ['ecole etude universite scolaire examen concours', 'scolarite,scolaire,universitaire'],
  ['argent envoyer envoi western moneygram', 'transfert,envoi'],
  ['depot deposer', 'depot,versement'],
  ['retrait retirer', 'retrait,transfert'],
  ['om', 'orange money'],
  ['flooz', 'moov'],
  ['tmoney t-money mixx', 'mixx,yas'],
  ['momo', 'momo,mtn'],
  // Wallets that pay for services, and are the name of none.
  ['wave coris wizall ligdicash sank emoney e-money', 'transfert'],
  ['banque compte economie tontine', 'banque,bancaire,epargne'],
];

const named: ReadonlyMap<string, string[]> = new Map(
  meanings.flatMap(([typed, names]) => typed.split(' ').map((word) => [word, names.split(',')] as const)),
);

/** From which length on the beginning of a word is enough. */
const begunLength = 4;

/** The words by which services are named for what a person calls `word`, which is folded; none for most words. */
export function synonymsOf(word: string): string[] {
  const singular = word.replace(/s$/, '');
  const whole = named.get(word) ?? named.get(singular);
  if (whole) return whole;
  if (word.length < begunLength) return [];
  return [...named].find(([typed]) => typed.startsWith(word))?.[1] ?? [];
}

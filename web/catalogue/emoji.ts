/** The first keyword found in a service's name selects its picture. */
const pictures: [keywords: RegExp, emoji: string][] = [
  [/burkina/i, '🇧🇫'],
  [/ivoire/i, '🇨🇮'],
  [/mali\b/i, '🇲🇱'],
  [/niger\b/i, '🇳🇪'],
  [/b[ée]nin/i, '🇧🇯'],
  [/togo/i, '🇹🇬'],
  [/s[ée]n[ée]gal/i, '🇸🇳'],
  [/transfert|envoi|envoyer/i, '💸'],
  [/retrait|d[ée]p[ôo]t/i, '🏧'],
  [/internet|\bdata|wifi/i, '🌐'],
  [/cr[ée]dit|recharge|appel/i, '📲'],
  [/t[ée]l[ée]com|mobile|t[ée]l[ée]phone|orange|moov|mtn|telecel|airtel|yas|zamani/i, '📱'],
  [/money|momo|wave|portefeuille/i, '👛'],
  [/[ée]lectricit[ée]|sonabel|\bcie\b|edm|nigelec|sbee|ceet|senelec/i, '💡'],
  [/\beau\b|onea|sodeci|soneb/i, '🚰'],
  [/t[ée]l[ée]vision|bouquet|canal|tv\b/i, '📺'],
  [/scolarit[ée]|[ée]cole|scolaire|inscription|universit/i, '🎓'],
  [/facture|paiement/i, '🧾'],
  [/[ée]pargne|tontine|versement/i, '🐖'],
  [/banque|bancaire|compte/i, '🏦'],
  [/assurance|sant[ée]/i, '🩺'],
  [/transport|voyage|billet/i, '🚌'],
];

export function emojiFor(name: string): string {
  return pictures.find(([keywords]) => keywords.test(name))?.[1] ?? '🛎️';
}

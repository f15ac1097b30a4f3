import type { NewService } from '#contract/catalogue-edits.ts';
import { type Country, type CountryCode, countries, countryCodes } from '#contract/phone.ts';

type Terms = Partial<Omit<NewService, 'name'>>;
export type StarterService = Terms & { name: string; children?: StarterService[] };

/** For the operator, not for visitors. */
const toConfirm = "Code à confirmer par l'opérateur avant la mise en service.";

const hundredths = (percent: number) => ({ commissionType: 'percentage' as const, commissionValue: percent });
const francs = (value: number) => ({ commissionType: 'fixed' as const, commissionValue: value });
const bands = (...list: [from: number, to: number | null, value: number, kind?: 'percentage'][]) => ({
  commissionType: 'range' as const,
  commissionRanges: list.map(([minPrice, maxPrice, commissionValue, kind]) => ({
    minPrice,
    maxPrice,
    commissionValue,
    commissionType: kind ?? ('fixed' as const),
  })),
});

/** A service that people order: what it costs is its price, or what they type. */
const final = (name: string, description: string, terms: Terms): StarterService => ({
  name,
  description,
  operatorNote: toConfirm,
  isFinalLevel: true,
  allowUserPriceInput: terms.price === undefined,
  ...terms,
});
const group = (name: string, description: string, children: StarterService[]): StarterService => ({
  name,
  description,
  children,
});

const sendingFees = bands(
  [1, 5_000, 100],
  [5_001, 20_000, 200],
  [20_001, 100_000, 500],
  [100_001, null, 1, 'percentage'],
);

/** Name, description, and a code shaped as this operator's public merchant codes are. */
const wallets: [name: string, description: string, code: string][] = [
  ['Orange Money', "Burkina Faso, Côte d'Ivoire, Mali, Sénégal", '*144*10*{marchand}*{montant}#'],
  ['Moov Money', "Burkina Faso, Côte d'Ivoire, Mali, Bénin, Togo", '*555*4*1*{marchand}*{montant}#'],
  ['MTN MoMo', "Côte d'Ivoire, Bénin", '*880*41*{marchand}*{montant}#'],
  ['Mixx by Yas', 'Togo', '*145*5*{montant}*{marchand}#'],
  ['Airtel Money', 'Niger', '*400*{marchand}*{montant}#'],
];

/** The operators of each country, and their mobile money codes, with which bundles are paid. */
const operators: Record<Country['iso'], [name: string, code: string][]> = {
  BF: [
    ['Orange', '*144*10*{marchand}*XX#'],
    ['Moov Africa', '*555*4*1*{marchand}*XX#'],
    ['Telecel', '*808*{marchand}*XX#'],
  ],
  CI: [
    ['Orange', '#144*1*{marchand}*XX#'],
    ['MTN', '*133*1*1*{marchand}*XX#'],
    ['Moov Africa', '*155*1*1*{marchand}*XX#'],
  ],
  ML: [
    ['Orange', '#144#8*{marchand}*XX#'],
    ['Moov Africa', '*166*4*{marchand}*XX#'],
  ],
  NE: [
    ['Airtel', '*400*{marchand}*XX#'],
    ['Zamani', '*144*{marchand}*XX#'],
  ],
  BJ: [
    ['MTN', '*880*41*{marchand}*XX#'],
    ['Moov Africa', '*855*1*1*{marchand}*XX#'],
  ],
  TG: [
    ['Yas', '*145*5*XX*{marchand}#'],
    ['Moov Africa', '*155*1*1*{marchand}*XX#'],
  ],
  SN: [
    ['Orange', '#144#211*{marchand}*XX#'],
    ['Yas', '#150*{marchand}*XX#'],
  ],
};

const mobile = (name: string, phoneNumber: string): StarterService =>
  group(name, "Crédit d'appel et forfaits", [
    final("Crédit d'appel", 'Le montant de votre choix', { phoneNumber, ...hundredths(1) }),
    group('Forfaits internet', 'Au jour, à la semaine ou au mois', [
      final('Forfait internet 1 jour', '500 Mo, 24 heures', { phoneNumber, price: '300 FCFA', ...francs(25) }),
      final('Forfait internet 7 jours', '2 Go, une semaine', { phoneNumber, price: '1 000 FCFA', ...francs(50) }),
      final('Forfait internet 30 jours', '10 Go, un mois', { phoneNumber, price: '5 000 FCFA', ...francs(100) }),
    ]),
  ]);

/** Bills are paid with Orange Money's documented merchant form until the operator says otherwise. */
const bill = { phoneNumber: '*144*10*{marchand}*{montant}#' };
const utilityFees = bands([1, 10_000, 100], [10_001, 50_000, 250], [50_001, null, 500]);
const utility = (name: string, description: string) => final(name, description, { ...bill, ...utilityFees });

export const starterCatalogue: StarterService[] = [
  {
    name: "Transfert d'argent",
    description: "Envoyer de l'argent à un proche",
    price: 'À partir de 100 FCFA de frais',
    children: wallets.map(([name, description, phoneNumber]) =>
      group(name, description, [
        final('Envoi national', 'Vers un numéro du même pays', { phoneNumber, ...sendingFees }),
        final('Envoi vers un pays voisin', "Vers un autre pays de l'UEMOA", { phoneNumber, ...hundredths(1.5) }),
      ]),
    ),
  },
  {
    name: 'Télécom et mobile',
    description: "Crédit d'appel et forfaits internet",
    price: 'À partir de 300 FCFA',
    children: countries.map(({ name, iso }) =>
      group(
        name,
        `Opérateurs\u00a0: ${operators[iso].map(([operator]) => operator).join(', ')}`,
        operators[iso].map(([operator, code]) => mobile(operator, code)),
      ),
    ),
  },
  group('Factures et paiements', 'Électricité, eau, télévision et scolarité', [
    group('Électricité', 'Compteur prépayé ou facture', [
      utility('SONABEL', 'Burkina Faso, Cash Power et factures'),
      utility('CIE', "Côte d'Ivoire, compteurs et factures"),
      utility('EDM', 'Mali, ISAGO et factures'),
      utility('NIGELEC', 'Niger, factures'),
      utility('SBEE', 'Bénin, cartes et factures'),
      utility('CEET', 'Togo, Cash Power et factures'),
      utility('Senelec', 'Sénégal, Woyofal et factures'),
    ]),
    group('Eau', "Factures d'eau", [
      utility('ONEA', 'Burkina Faso'),
      utility('SODECI', "Côte d'Ivoire"),
      utility("SEN'EAU", 'Sénégal'),
      utility('SONEB', 'Bénin'),
    ]),
    group('Télévision', 'Réabonnement au bouquet', [
      final('Bouquet Access', 'Un mois', { ...bill, price: '5 000 FCFA', ...francs(100) }),
      final('Bouquet Évasion', 'Un mois', { ...bill, price: '10 000 FCFA', ...francs(150) }),
    ]),
    group('Scolarité', "Frais d'inscription et d'examen", [
      final('Inscription universitaire', 'Année en cours', { ...bill, price: '15 000 FCFA', ...francs(300) }),
      final('Autres frais scolaires', "Le montant demandé par l'école", { ...bill, ...hundredths(1) }),
    ]),
  ]),
  group('Banque et épargne', 'Du portefeuille mobile au compte bancaire', [
    final('Dépôt sur compte bancaire', 'Depuis votre portefeuille mobile', { ...bill, ...hundredths(0.5) }),
    group('Épargne', 'Mettre de côté, un peu chaque mois', [
      final('Tontine du mois', 'Une part de tontine', { ...bill, price: '10 000 FCFA', ...francs(0) }),
      final('Versement libre', 'Le montant de votre choix', { ...bill, ...francs(0) }),
    ]),
  ]),
];

const [burkina, ivoryCoast, mali, niger, benin, togo, senegal] = countryCodes;

interface StarterPaymentType {
  name: string;
  operator: string | null;
  countries: CountryCode[];
  /** Codes of merchants, as public sources have them; nobody has dialled them for us. */
  templates?: { country: CountryCode; template: string; source: string }[];
}

const code = (country: CountryCode, template: string, source: string) => ({ country, template, source });
const published = 'annonces publiques. Essayez ce code une fois.';
const unsure = 'aucune annonce sûre. Essayez ce code avant de le proposer.';

/** Where each wallet is offered, and on whose lines (null: any); administrators add the countries that operators open. */
export const starterPaymentTypes: StarterPaymentType[] = [
  {
    name: 'Orange Money',
    operator: 'Orange',
    countries: [burkina, ivoryCoast, mali, senegal],
    templates: [
      code(burkina, '*144*10*{marchand}*{montant}#', published),
      code(ivoryCoast, '#144*1*{marchand}*{montant}#', unsure),
      code(mali, '#144#8*{marchand}*{montant}#', published),
      code(senegal, '#144#211*{marchand}*{montant}#', unsure),
    ],
  },
  {
    name: 'Moov Money',
    operator: 'Moov',
    countries: [burkina, ivoryCoast, mali, benin, togo],
    templates: [
      code(burkina, '*555*4*1*{marchand}*{montant}#', published),
      code(ivoryCoast, '*155*1*1*{marchand}*{montant}#', unsure),
      code(mali, '*166*4*{marchand}*{montant}#', published),
      code(benin, '*855*1*1*{marchand}*{montant}#', unsure),
      code(togo, '*155*2*2*{marchand}*{marchand}*{montant}#', unsure),
    ],
  },
  {
    name: 'MTN MoMo',
    operator: 'MTN',
    countries: [ivoryCoast, benin],
    templates: [
      code(ivoryCoast, '*133*1*1*{marchand}*{montant}#', unsure),
      code(benin, '*880*3*{marchand}*{montant}#', published),
    ],
  },
  {
    name: 'Mixx by Yas',
    operator: 'Yas',
    countries: [togo],
    templates: [code(togo, '*145*5*{montant}*{marchand}#', published)],
  },
  {
    name: 'Airtel Money',
    operator: 'Airtel',
    countries: [niger],
    templates: [code(niger, '*400*{marchand}*{montant}#', unsure)],
  },
  { name: 'Wave', operator: null, countries: [burkina, ivoryCoast, mali, senegal] },
];

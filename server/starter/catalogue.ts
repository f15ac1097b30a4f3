import type { NewService } from '#contract/catalogue.ts';
import type { CountryCode } from '#contract/phone.ts';

export type StarterService = Partial<Omit<NewService, 'name'>> & { name: string; children?: StarterService[] };

/** The merchant number of every starter code: no operator gives it out, so nobody is paid before the operator is set up. */
export const merchant = '00000000';
/** For the operator, not for visitors. */
const toConfirm = 'Code à confirmer par l’opérateur avant la mise en service.';

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
const typedPrice = { allowUserPriceInput: true, isFinalLevel: true };
const set = (price: string) => ({ price, isFinalLevel: true });

const sendingFees = bands(
  [1, 5_000, 100],
  [5_001, 20_000, 200],
  [20_001, 100_000, 500],
  [100_001, null, 1, 'percentage'],
);

interface Wallet {
  name: string;
  description: string;
  /** Shaped as this operator's public merchant codes are. */
  code: string;
}

const wallets: Wallet[] = [
  {
    name: 'Orange Money',
    description: 'Burkina Faso, Côte d’Ivoire, Mali, Sénégal',
    code: `*144*10*${merchant}*{montant}#`,
  },
  {
    name: 'Moov Money',
    description: 'Burkina Faso, Côte d’Ivoire, Mali, Bénin, Togo',
    code: `*555*4*1*${merchant}*{montant}#`,
  },
  { name: 'MTN MoMo', description: 'Côte d’Ivoire, Bénin', code: `*880*41*${merchant}*{montant}#` },
  { name: 'Mixx by Yas', description: 'Togo', code: `*145*5*{montant}*${merchant}#` },
  { name: 'Airtel Money', description: 'Niger', code: `*400*${merchant}*{montant}#` },
];

function moneyTransfer({ name, description, code }: Wallet): StarterService {
  return {
    name,
    description,
    children: [
      {
        name: 'Envoi national',
        description: 'Vers un numéro du même pays',
        operatorNote: toConfirm,
        phoneNumber: code,
        ...typedPrice,
        ...sendingFees,
      },
      {
        name: 'Envoi vers un pays voisin',
        description: 'Vers un autre pays de l’UEMOA',
        operatorNote: toConfirm,
        phoneNumber: code,
        ...typedPrice,
        ...hundredths(1.5),
      },
    ],
  };
}

interface Operator {
  name: string;
  /** Its mobile money code, with which bundles are paid. */
  code: string;
}

const operators: { country: string; flag: string; list: Operator[] }[] = [
  {
    country: 'Burkina Faso',
    flag: '🇧🇫',
    list: [
      { name: 'Orange', code: `*144*10*${merchant}*XX#` },
      { name: 'Moov Africa', code: `*555*4*1*${merchant}*XX#` },
      { name: 'Telecel', code: `*808*${merchant}*XX#` },
    ],
  },
  {
    country: 'Côte d’Ivoire',
    flag: '🇨🇮',
    list: [
      { name: 'Orange', code: `#144*1*${merchant}*XX#` },
      { name: 'MTN', code: `*133*1*1*${merchant}*XX#` },
      { name: 'Moov Africa', code: `*155*1*1*${merchant}*XX#` },
    ],
  },
  {
    country: 'Mali',
    flag: '🇲🇱',
    list: [
      { name: 'Orange', code: `#144#8*${merchant}*XX#` },
      { name: 'Moov Africa', code: `*166*4*${merchant}*XX#` },
    ],
  },
  {
    country: 'Niger',
    flag: '🇳🇪',
    list: [
      { name: 'Airtel', code: `*400*${merchant}*XX#` },
      { name: 'Zamani', code: `*144*${merchant}*XX#` },
    ],
  },
  {
    country: 'Bénin',
    flag: '🇧🇯',
    list: [
      { name: 'MTN', code: `*880*41*${merchant}*XX#` },
      { name: 'Moov Africa', code: `*855*1*1*${merchant}*XX#` },
    ],
  },
  {
    country: 'Togo',
    flag: '🇹🇬',
    list: [
      { name: 'Yas', code: `*145*5*XX*${merchant}#` },
      { name: 'Moov Africa', code: `*155*1*1*${merchant}*XX#` },
    ],
  },
  {
    country: 'Sénégal',
    flag: '🇸🇳',
    list: [
      { name: 'Orange', code: `#144#211*${merchant}*XX#` },
      { name: 'Yas', code: `#150*${merchant}*XX#` },
    ],
  },
];

function mobile({ name, code }: Operator): StarterService {
  const phoneNumber = code;
  return {
    name,
    description: 'Crédit d’appel et forfaits',
    children: [
      {
        name: 'Crédit d’appel',
        description: 'Le montant de votre choix',
        operatorNote: toConfirm,
        phoneNumber,
        ...typedPrice,
        ...hundredths(1),
      },
      {
        name: 'Forfaits internet',
        description: 'Au jour, à la semaine ou au mois',
        children: [
          {
            name: 'Forfait internet 1 jour',
            description: '500 Mo, 24 heures',
            operatorNote: toConfirm,
            phoneNumber,
            ...set('300 FCFA'),
            ...francs(25),
          },
          {
            name: 'Forfait internet 7 jours',
            description: '2 Go, une semaine',
            operatorNote: toConfirm,
            phoneNumber,
            ...set('1 000 FCFA'),
            ...francs(50),
          },
          {
            name: 'Forfait internet 30 jours',
            description: '10 Go, un mois',
            operatorNote: toConfirm,
            phoneNumber,
            ...set('5 000 FCFA'),
            ...francs(100),
          },
        ],
      },
    ],
  };
}

/** Bills are paid with Orange Money's documented merchant form until the operator says otherwise. */
const bill = { phoneNumber: `*144*10*${merchant}*{montant}#` };
const utility = (name: string, description: string): StarterService => ({
  name,
  description,
  operatorNote: toConfirm,
  ...bill,
  ...typedPrice,
  ...bands([1, 10_000, 100], [10_001, 50_000, 250], [50_001, null, 500]),
});

export const starterCatalogue: StarterService[] = [
  {
    name: 'Transfert d’argent',
    description: 'Envoyer de l’argent à un proche, au pays ou chez un voisin',
    price: 'À partir de 100 FCFA de frais',
    children: wallets.map(moneyTransfer),
  },
  {
    name: 'Télécom et mobile',
    description: 'Crédit d’appel et forfaits internet dans les sept pays',
    price: 'À partir de 300 FCFA',
    children: operators.map(({ country, flag, list }) => ({
      name: country,
      description: `${flag} Opérateurs : ${list.map((each) => each.name).join(', ')}`,
      children: list.map(mobile),
    })),
  },
  {
    name: 'Factures et paiements',
    description: 'Électricité, eau, télévision et scolarité',
    children: [
      {
        name: 'Électricité',
        description: 'Compteur prépayé ou facture',
        children: [
          utility('SONABEL', 'Burkina Faso, Cash Power et factures'),
          utility('CIE', 'Côte d’Ivoire, compteurs et factures'),
          utility('EDM', 'Mali, ISAGO et factures'),
          utility('NIGELEC', 'Niger, factures'),
          utility('SBEE', 'Bénin, cartes et factures'),
          utility('CEET', 'Togo, Cash Power et factures'),
          utility('Senelec', 'Sénégal, Woyofal et factures'),
        ],
      },
      {
        name: 'Eau',
        description: 'Factures d’eau',
        children: [
          utility('ONEA', 'Burkina Faso'),
          utility('SODECI', 'Côte d’Ivoire'),
          utility('SEN’EAU', 'Sénégal'),
          utility('SONEB', 'Bénin'),
        ],
      },
      {
        name: 'Télévision',
        description: 'Réabonnement au bouquet',
        children: [
          {
            name: 'Bouquet Access',
            description: 'Un mois',
            operatorNote: toConfirm,
            ...bill,
            ...set('5 000 FCFA'),
            ...francs(100),
          },
          {
            name: 'Bouquet Évasion',
            description: 'Un mois',
            operatorNote: toConfirm,
            ...bill,
            ...set('10 000 FCFA'),
            ...francs(150),
          },
        ],
      },
      {
        name: 'Scolarité',
        description: 'Frais d’inscription et d’examen',
        children: [
          {
            name: 'Inscription universitaire',
            description: 'Année en cours',
            operatorNote: toConfirm,
            ...bill,
            ...set('15 000 FCFA'),
            ...francs(300),
          },
          {
            name: 'Autres frais scolaires',
            description: 'Le montant demandé par l’école',
            operatorNote: toConfirm,
            ...bill,
            ...typedPrice,
            ...hundredths(1),
          },
        ],
      },
    ],
  },
  {
    name: 'Banque et épargne',
    description: 'Du portefeuille mobile au compte bancaire',
    children: [
      {
        name: 'Dépôt sur compte bancaire',
        description: 'Depuis votre portefeuille mobile',
        operatorNote: toConfirm,
        ...bill,
        ...typedPrice,
        ...hundredths(0.5),
      },
      {
        name: 'Épargne',
        description: 'Mettre de côté, un peu chaque mois',
        children: [
          {
            name: 'Tontine du mois',
            description: 'Une part de tontine',
            operatorNote: toConfirm,
            ...bill,
            ...set('10 000 FCFA'),
            ...francs(0),
          },
          {
            name: 'Versement libre',
            description: 'Le montant de votre choix',
            operatorNote: toConfirm,
            ...bill,
            ...typedPrice,
            ...francs(0),
          },
        ],
      },
    ],
  },
];

const callingCodes = {
  burkina: '+226',
  ivoryCoast: '+225',
  mali: '+223',
  niger: '+227',
  benin: '+229',
  togo: '+228',
  senegal: '+221',
} as const;
const { burkina, ivoryCoast, mali, niger, benin, togo, senegal } = callingCodes;

interface StarterPaymentType {
  name: string;
  /** None where any line will do. */
  operator: string | null;
  countries: CountryCode[];
}

/** Where each wallet is offered, and on whose lines; operators open new countries, and the administrators add them. */
export const starterPaymentTypes: StarterPaymentType[] = [
  { name: 'Orange Money', operator: 'Orange', countries: [burkina, ivoryCoast, mali, senegal] },
  { name: 'Moov Money', operator: 'Moov', countries: [burkina, ivoryCoast, mali, benin, togo] },
  { name: 'MTN MoMo', operator: 'MTN', countries: [ivoryCoast, benin] },
  { name: 'Mixx by Yas', operator: 'Yas', countries: [togo] },
  { name: 'Airtel Money', operator: 'Airtel', countries: [niger] },
  { name: 'Wave', operator: null, countries: [burkina, ivoryCoast, mali, senegal] },
];

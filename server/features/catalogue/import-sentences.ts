import { failureCatalogue } from '#contract/failure.ts';
import { catalogueLimits } from '#server/process/limits.ts';

const number = new Intl.NumberFormat('fr');

/** What an import says of a line that it refuses; the contract's and the catalogue's own sentences stand elsewhere. */
export const importSentences = {
  empty: 'Le fichier est vide.',
  unknownColumn: (name: string) => `La colonne « ${name} » n'existe pas.`,
  columnTwice: (name: string) => `La colonne « ${name} » est là deux fois.`,
  tooManyLines: `Le fichier a plus de ${number.format(catalogueLimits.importedLines)} lignes.`,
  tooManyCells: "Cette ligne a plus de cases que l'en-tête.",
  unclosedQuote: 'Un guillemet ouvert sur cette ligne n’est jamais fermé.',
  misplacedQuote: 'Un guillemet est mal placé : doublez-le, et mettez toute la case entre guillemets.',
  cannotBeEmpty: 'Cette case ne peut pas être vide.',
  notYesOrNo: 'Écrivez oui ou non.',
  notANumber: 'Écrivez un nombre.',
  notRanges: 'Écrivez les tranches ainsi : 1-5000:100 | 5001-20000:1,5% | 20001-:2%',
  notAnId: "Écrivez l'identifiant d'un service, ou @ et un mot pour un nouveau service.",
  idTwice: (line: number) => `La ligne ${line} a déjà cet identifiant.`,
  unknownService: failureCatalogue.SERVICE_NOT_FOUND[1],
  unknownKey: (key: string) => `Aucune ligne n'a l'identifiant ${key}.`,
  parentRefused: (line: number) => `Le service parent est refusé, à la ligne ${line}.`,
  moreErrors: (count: number) => `Et ${number.format(count)} autres erreurs.`,
} as const;

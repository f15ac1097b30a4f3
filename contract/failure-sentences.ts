import { maximumLevel } from './shapes.ts';
import { imageNotFromHere } from './uploads.ts';
import { spellWait } from './waiting.ts';

/** More precise French sentences than the code's own in `failure.ts`. */
export const failureSentences = {
  // INVALID
  imageNotFromHere,
  percentageTooHigh: 'Un pourcentage ne dépasse pas 100.',
  idempotencyKey: (characters: number) => `Idempotency-Key : 1 à ${characters} caractères visibles.`,
  unreadableRequest: 'La requête est illisible.',
  // PHONE_INVALID
  severalCountries: "Ajoutez l'indicatif du pays, par exemple +226.",
  otherCountry: "Pour un autre pays, ajoutez l'indicatif, par exemple +225.",
  // TREE_INVALID
  unknownParent: "Le service parent n'existe pas.",
  finalWithChildren: "Un service final ne peut pas contenir d'autres services.",
  underItself: 'Un service ne peut pas se contenir lui-même.',
  tooDeep: `Le catalogue a ${maximumLevel} niveaux au plus.`,
  otherLevel: (level: number) => `À cet endroit du catalogue, le niveau est ${level}.`,
  // PHONE_NOT_VERIFIED
  verifyFirst: 'Veuillez vérifier votre numéro pour continuer.',
  // CREDENTIALS
  sharedAddress:
    'Identifiants incorrects. Beaucoup de comptes ont cette adresse e-mail : connectez-vous avec votre numéro de téléphone.',
  // PROTECTED_USER
  guestHasNoPassword: "Un invité n'a pas de mot de passe.",
  guestCannotBeVerified: 'Un invité ne peut pas être vérifié.',
  // NOT_FOUND and USER_NOT_FOUND
  siteNotBuilt: "L'application web n'est pas construite.",
  nothingToResend: 'Impossible de renvoyer le code.',
  unknownUser: 'Utilisateur introuvable.',
  // TOO_MANY
  waitForCode: (seconds: number) => `Veuillez patienter ${spellWait(seconds)} avant de demander un nouveau code.`,
  waitForEntered: (seconds: number) =>
    `Plusieurs codes demandés depuis votre connexion n'ont pas encore été saisis. Réessayez dans ${spellWait(seconds)}.`,
  usualBrowser: (failures: number) =>
    `Plus de ${failures} mots de passe faux en un jour pour ce compte. Connectez-vous depuis votre navigateur habituel, ou changez le mot de passe sur le serveur : npm run guichet -- admin reset.`,
  // SERVICE_UNAVAILABLE
  priceUnusable: 'Ce service ne se commande pas pour le moment : son prix ne peut pas être lu.',
  // SMS_PAUSED
  smsPaused: (seconds: number) =>
    `Nous ne pouvons pas envoyer de code par SMS pour le moment. Réessayez dans ${spellWait(seconds)}.`,
} as const;

import * as z from 'zod/mini';
import { notPayable } from './dial-code.ts';
import { component, documented, words } from './shapes.ts';

/** Every refusal of the API: code, HTTP status and French sentence. `failure-sentences.ts` has more precise sentences. */
export const failureCatalogue = {
  INVALID: [400, 'Certaines informations sont invalides.'],
  PHONE_INVALID: [400, 'Numéro de téléphone invalide.'],
  CODE_INVALID: [400, 'Code OTP invalide ou expiré.'],
  TOKEN_INVALID: [400, 'Le code de réinitialisation a expiré. Recommencez.'],
  IMAGE_TYPE: [400, 'Seuls les fichiers JPEG, PNG et WebP sont acceptés.'],
  IMAGE_UNREADABLE: [400, "L'image est illisible ou trop grande."],
  FILE_MISSING: [400, 'Aucun fichier reçu.'],
  FILE_EMPTY: [400, 'Le fichier est vide.'],
  UPLOAD_MALFORMED: [400, 'Le formulaire envoyé est incomplet.'],
  TREE_INVALID: [400, "Cet emplacement n'est pas possible dans le catalogue."],
  NOT_SIGNED_IN: [401, 'Veuillez vous connecter pour continuer.'],
  CREDENTIALS: [401, 'Identifiants incorrects.'],
  FORBIDDEN: [403, "Vous n'avez pas accès à cette action."],
  GUEST: [403, 'Veuillez vous connecter pour continuer.'],
  PHONE_NOT_VERIFIED: [403, 'Compte non vérifié. Un code vous a été envoyé.'],
  PASSWORD_WRONG: [403, 'Mot de passe actuel incorrect.'],
  SIGNATURE_INVALID: [401, 'La signature ne correspond pas.'],
  SECOND_CODE: [
    403,
    'Votre code est juste. Comme beaucoup de codes faux ont été saisis ces derniers temps, un second code vient de vous être envoyé : saisissez-le.',
  ],
  DEACTIVATED: [403, 'Compte désactivé. Contactez le support.'],
  CROSS_SITE: [403, "Cette requête vient d'un autre site."],
  PROTECTED_USER: [403, 'Ce compte est protégé : cette action est impossible.'],
  NOT_FOUND: [404, 'Introuvable.'],
  NOTHING_TO_EXPORT: [404, 'Aucun ticket à exporter.'],
  USER_NOT_FOUND: [404, 'Utilisateur non trouvé ou numéro invalide.'],
  SERVICE_NOT_FOUND: [404, 'Service introuvable.'],
  TICKET_NOT_FOUND: [404, 'Ticket introuvable.'],
  RECEIPT_NOT_FOUND: [404, 'Reçu introuvable.'],
  NOTIFICATION_NOT_FOUND: [404, 'Notification introuvable'],
  PAYMENT_TYPE_NOT_FOUND: [404, 'Type de paiement introuvable.'],
  DIAL_TEMPLATE_NOT_FOUND: [404, 'Code introuvable.'],
  PAYMENT_ACCOUNT_NOT_FOUND: [404, 'Compte de paiement introuvable.'],
  PAYMENT_SOURCE_NOT_FOUND: [404, 'Source de paiements introuvable.'],
  PAYMENT_SHAPE_NOT_FOUND: [404, 'Forme introuvable.'],
  PAYMENT_NOT_FOUND: [404, 'Paiement introuvable.'],
  MESSAGE_NOT_FOUND: [404, 'Message introuvable.'],
  PAGE_NOT_FOUND: [404, 'Page non trouvée'],
  TOO_SLOW: [408, 'La requête a mis trop de temps à arriver. Réessayez.'],
  PHONE_TAKEN: [409, 'Ce numéro est déjà utilisé.'],
  ALREADY_VERIFIED: [409, 'Ce numéro est déjà vérifié. Connectez-vous.'],
  SLUG_TAKEN: [409, 'Cette adresse de page est déjà utilisée.'],
  PAYMENT_TYPE_TAKEN: [409, 'Ce type de paiement existe déjà.'],
  DIAL_TEMPLATE_TAKEN: [409, 'Ce type de paiement a déjà un code pour ce pays.'],
  PAYMENT_ACCOUNT_TAKEN: [409, 'Ce compte existe déjà.'],
  PAYMENT_TAKEN: [409, 'Ce paiement est déjà relié à un ticket, ou ce ticket à un paiement.'],
  PAYMENT_FREE: [409, "Ce paiement n'est relié à aucun ticket."],
  PAYMENT_DIFFERS: [409, 'Le montant du paiement et celui du ticket diffèrent.'],
  PAYMENT_CLOSED: [409, 'Ce paiement ne peut plus payer un ticket.'],
  CLOSING_CHANGED: [409, 'Les chiffres de cette journée viennent de changer. Relisez-les avant de signer.'],
  MESSAGE_READ: [409, 'Ce message a déjà été traité.'],
  REMINDED_TODAY: [409, "Cette personne a déjà été relancée aujourd'hui."],
  CODE_REPORT_CLOSED: [409, 'Ce code ne peut plus être signalé.'],
  PRICE_CHANGED: [409, 'Le prix a changé.'],
  PATH_CHANGED: [409, 'Ce service a changé. Veuillez le choisir à nouveau.'],
  STATUS_CHANGED: [409, 'Un autre administrateur vient de modifier ce ticket.'],
  REFERENCE_SETTLED: [
    409,
    "La référence a déjà été changée plusieurs fois : elle ne peut plus l'être. Écrivez au support, avec le numéro de la demande.",
  ],
  TICKET_NOT_APPROVED: [409, "Cette demande n'est pas approuvée : elle n'a pas de reçu."],
  TICKET_DECIDED: [409, 'Cette demande a déjà été traitée : le paiement ne peut plus être déclaré.'],
  CHANGED_MEANWHILE: [409, 'Un autre administrateur vient de modifier cet élément.'],
  ORDER_CHANGED: [409, 'Ces services ont changé entre-temps. Vérifiez leur ordre et recommencez.'],
  BENEFICIARIES_FULL: [409, 'Vous avez déjà 100 bénéficiaires : supprimez-en un pour en ajouter un autre.'],
  HAS_CHILDREN: [409, "Ce service contient d'autres services : supprimez-les d'abord."],
  TOO_LARGE: [413, 'La requête est trop volumineuse.'],
  FILE_TOO_LARGE: [413, 'La taille maximale autorisée est de 5MB.'],
  MEDIA_TYPE: [415, "Ce type de contenu n'est pas accepté."],
  SERVICE_UNAVAILABLE: [422, "Ce service n'est plus disponible."],
  PAYMENT_TYPE_UNAVAILABLE: [422, "Ce type de paiement n'est plus disponible."],
  NOT_PAYABLE: [422, notPayable],
  PASSWORD_COMMON: [422, 'Ce mot de passe est trop courant : choisissez-en un autre.'],
  PUSH_SERVICE_UNKNOWN: [422, 'Les notifications de ce navigateur passent par un service que Guichet ne connaît pas.'],
  STATEMENT_UNKNOWN: [422, "Ce fichier n'est pas un relevé connu."],
  PRICE_INVALID: [422, 'Veuillez saisir un prix pour ce service.'],
  KEY_REUSED: [422, 'Cette demande a déjà été envoyée avec un autre contenu.'],
  HEADERS_TOO_LARGE: [431, 'Les en-têtes de la requête sont trop longs.'],
  RESET_NEEDED: [
    429,
    'Trop de mots de passe faux pour ce compte. Choisissez-en un nouveau par SMS, ou connectez-vous depuis votre appareil habituel.',
  ],
  TOO_MANY: [429, 'Trop de tentatives. Réessayez plus tard.'],
  SMS_PAUSED: [503, 'Nous ne pouvons pas envoyer de code par SMS pour le moment. Réessayez plus tard.'],
  IMPORT_BUSY: [503, "D'autres relevés sont en cours de lecture. Réessayez dans un instant."],
  EXPORT_BUSY: [503, 'Un export est déjà en cours. Réessayez dans un instant.'],
  INTERNAL: [500, 'Erreur interne'],
  BUSY: [503, 'Le service est momentanément indisponible. Réessayez dans un instant.'],
} as const satisfies Record<string, readonly [number, string]>;

export type FailureCode = keyof typeof failureCatalogue;

export interface Issue {
  path: string;
  message: string;
}

/** The body of a failed call; some codes add a field. */
export const failureBody = component(
  'Failure',
  z.object({
    message: documented(words(), { description: 'For the person: French, or an English message of a schema (P4.8).' }),
    code: z.enum(Object.keys(failureCatalogue) as [FailureCode, ...FailureCode[]]),
    issues: z.optional(z.array(z.object({ path: words(), message: words() }))),
    requestId: documented(z.optional(words()), { description: 'With INTERNAL: what to look up in the log.' }),
    expectedTotal: documented(z.optional(z.int()), {
      description: 'With PRICE_CHANGED: the total now, in CFA francs.',
    }),
    phone: documented(z.optional(words()), {
      description: 'With PHONE_NOT_VERIFIED at a sign-in: the number, in E.164.',
    }),
    children: documented(z.optional(z.int()), { description: 'With HAS_CHILDREN: how many.' }),
    retryAfter: documented(z.optional(z.int()), {
      description: 'Seconds to wait; with SECOND_CODE, before another code may be asked for.',
    }),
  }),
);
export type FailureBody = z.output<typeof failureBody>;

type Details = Partial<Omit<FailureBody, 'code' | 'requestId'>>;

/** A refusal that the server's rules throw; the HTTP layer answers with its status and body. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly status: number;
  readonly details: Details;

  constructor(code: FailureCode, details: Details = {}) {
    super(details.message ?? failureCatalogue[code][1]);
    this.name = 'Failure';
    this.code = code;
    this.status = failureCatalogue[code][0];
    this.details = details;
  }
}

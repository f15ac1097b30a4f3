/** Why a file is refused as a whole, in French. */
export const refusalSentences = {
  empty: 'Le fichier est vide.',
  unreadable: "Ce fichier est illisible. Téléchargez-le de nouveau chez l'opérateur, en Excel ou en CSV.",
  unknown: "Ce fichier n'est pas un relevé connu : aucune ligne n'a les titres de colonnes attendus.",
  'too-large': "Le fichier est trop grand. Demandez à l'opérateur une période plus courte.",
  'too-slow': "La lecture du fichier prend trop de temps. Demandez à l'opérateur une période plus courte.",
  crashed: 'La lecture du fichier a échoué.',
} as const;

export type RefusalReason = keyof typeof refusalSentences;

/** No row of the file is taken; the message is for the person who sent it. */
export class StatementRefusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, cause?: unknown) {
    super(refusalSentences[reason], { cause });
    this.name = 'StatementRefusal';
    this.reason = reason;
  }
}

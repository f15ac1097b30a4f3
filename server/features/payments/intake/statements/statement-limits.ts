import { statementClocks } from '#server/features/payments/intake/limits.ts';

const { waiting, readMs } = statementClocks;

/** Limits of reading a statement file, each with its reason. */
export const statementLimits = {
  waiting,
  readMs,
  /** A file: 80,000 rows of MTN's 55 columns as CSV, or 200,000 of Wave's 11. */
  fileBytes: 32 * 1024 * 1024,
  /** Two months of the busiest account known, and what one transaction of PostgreSQL inserts in seconds. */
  rows: 200_000,
  /** Sheets of a workbook, which are opened one by one: a sheet per day of a month, and a margin. */
  sheets: 50,
  /** Unpacked size of a workbook by its directory: 200,000 rows of MTN are 400 MB. */
  unpackedBytes: 512 * 1024 * 1024,
  /** Rows of a sheet before its header; Orange has 22. */
  preambleRows: 200,
  /** Faults that the answer lists. */
  faultsListed: 500,
  /** Rows that the thread passes on at once, so that the main thread stays free. */
  rowsPerChunk: 2_000,
  retryAfterSeconds: 30,
  /** Memory of the thread's JavaScript. Beyond it the thread ends and the file is refused; the process goes on. */
  youngMegabytes: 32,
  oldMegabytes: 320,
  /** Growth of the process while it reads: a thread's limits do not count its buffers. 100,000 rows of MTN take 220 MB. */
  grownBytes: 1024 * 1024 * 1024,
  /** Period of the checks of time and growth. */
  watchMs: 50,
} as const;

export type StatementLimits = Record<keyof typeof statementLimits, number>;

/** Reasons for refusing a whole file, with the remedy, in French. */
export const refusalSentences = {
  empty: 'Le fichier est vide.',
  unreadable: "Ce fichier est abîmé. Téléchargez-le de nouveau chez l'opérateur, en Excel ou en CSV.",
  unknown: "Ce fichier n'est pas un relevé connu : aucune ligne n'a les titres de colonnes attendus.",
  'other-wallet': "Ce fichier est le relevé d'un autre portefeuille.",
  contradicting:
    "Les dates de ce fichier se contredisent : un tableur a sans doute inversé jours et mois. Importez le fichier de l'opérateur tel qu'il l'a donné, sans l'enregistrer dans un tableur.",
  pdf: "Ce fichier est un PDF. Demandez à l'opérateur le relevé en Excel ou en CSV.",
  xls: 'Ce fichier .xls est illisible. Ouvrez-le dans Excel, puis « Enregistrer sous » .xlsx, sans mot de passe.',
  page: 'Ce fichier est une page HTML. Ouvrez-le dans Excel, puis « Enregistrer sous » .xlsx.',
  xml: "Ce fichier est au format XML d'Excel 2003. Ouvrez-le dans Excel, puis « Enregistrer sous » .xlsx.",
  opendocument: 'Ce fichier est un classeur OpenDocument. Ouvrez-le dans un tableur, puis « Enregistrer sous » .xlsx.',
  archive: "Ce fichier est une archive. Ouvrez-la, puis choisissez le relevé qu'elle contient.",
  protected: 'Ce fichier a un mot de passe. Ouvrez-le dans Excel, puis enregistrez-le en .xlsx sans mot de passe.',
  'too-large': "Le fichier est trop grand. Demandez à l'opérateur une période plus courte.",
  'too-many-sheets': `Ce classeur a plus de ${statementLimits.sheets} feuilles. Gardez celle du relevé, ou demandez à l'opérateur le relevé en CSV.`,
  'too-slow': "La lecture du fichier prend trop de temps. Demandez à l'opérateur une période plus courte.",
  crashed: 'La lecture du fichier a échoué.',
} as const;

export type RefusalReason = keyof typeof refusalSentences;

/** The refusal of a whole file; the message is for the person who sent it. */
export class StatementRefusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, { message, cause }: { message?: string | undefined; cause?: unknown } = {}) {
    super(message ?? refusalSentences[reason], { cause });
    this.name = 'StatementRefusal';
    this.reason = reason;
  }
}

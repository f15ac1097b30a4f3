/** The system's errors for a file that could not be made or read, in words for the operator. */
export const fileTroubles: Readonly<Record<string, string>> = {
  EEXIST: 'il y a là un fichier',
  ENOTDIR: 'il y a un fichier à la place d’un dossier',
  EACCES: 'ce compte n’en a pas le droit',
  EPERM: 'ce compte n’en a pas le droit',
  EROFS: 'ce disque est en lecture seule',
  ENOSPC: 'le disque est plein',
  ENOENT: 'ce système n’y permet pas de dossier',
};

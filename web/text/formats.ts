const numbers = new Intl.NumberFormat('fr-FR');
const dates = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'short' });

/** '1 025 FCFA' */
export function formatAmount(francs: number): string {
  return `${numbers.format(francs)} FCFA`;
}

/** '21 novembre 2026 à 14:05', in the phone's own time zone. */
export function formatDate(instant: string): string {
  return dates.format(new Date(instant));
}

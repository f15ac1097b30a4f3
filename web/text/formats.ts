const numbers = new Intl.NumberFormat('fr-FR');
const dates = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'long', timeStyle: 'short' });

const days = new Intl.DateTimeFormat('fr-FR', { dateStyle: 'short' });
const hours = new Intl.DateTimeFormat('fr-FR', { timeStyle: 'short' });

/** '1 025 FCFA' */
export function formatAmount(francs: number): string {
  return `${numbers.format(francs)} FCFA`;
}

/** '21 novembre 2026 à 14:05', in the phone's own time zone. */
export function formatDate(instant: string): string {
  return dates.format(new Date(instant));
}

/** '21/11/2026' and '14:05', for a narrow column. */
export function formatDayAndHour(instant: string): { day: string; hour: string } {
  const date = new Date(instant);
  return { day: days.format(date), hour: hours.format(date) };
}

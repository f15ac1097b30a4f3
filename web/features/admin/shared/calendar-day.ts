/** Whether a text is a calendar day as date fields write it, '2026-11-21'. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && dayOf(startOf(text)) === text;
}

/** The calendar day in this browser's time zone. */
export function dayOf(moment: Date): string {
  const padded = (value: number, length: number) => String(value).padStart(length, '0');
  return [padded(moment.getFullYear(), 4), padded(moment.getMonth() + 1, 2), padded(moment.getDate(), 2)].join('-');
}

/** Its first moment. */
export const startOf = (day: string): Date => new Date(`${day}T00:00`);

/** Its last millisecond. */
export function endOf(day: string): Date {
  const next = startOf(day);
  next.setDate(next.getDate() + 1);
  return new Date(next.getTime() - 1);
}

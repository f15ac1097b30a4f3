/** The calendar day in this browser's time zone, as date fields write it, '2026-11-21'. */
export function dayOf(moment: Date): string {
  const padded = (value: number, length: number) => String(value).padStart(length, '0');
  return [padded(moment.getFullYear(), 4), padded(moment.getMonth() + 1, 2), padded(moment.getDate(), 2)].join('-');
}

/** The name of a browser's time zone, or, where it has none, how many minutes its clock is ahead of UTC, as '+05:30'. */
export function zoneText(name: string | undefined, minutesAhead: number): string {
  if (name && name !== 'Etc/Unknown') return name;
  const padded = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.abs(minutesAhead);
  return `${minutesAhead < 0 ? '-' : '+'}${padded(Math.floor(minutes / 60))}:${padded(minutes % 60)}`;
}

/** The time zone of this browser, as the server takes it. */
export const browserTimeZone = (): string =>
  zoneText(Intl.DateTimeFormat().resolvedOptions().timeZone, -new Date().getTimezoneOffset());

/** A wait in words, rounded up: '45 secondes', '5 minutes', '3 heures'. */
export function spellWait(seconds: number): string {
  if (seconds < 120) return seconds === 1 ? '1 seconde' : `${seconds} secondes`;
  return seconds < 7200 ? `${Math.ceil(seconds / 60)} minutes` : `${Math.ceil(seconds / 3600)} heures`;
}

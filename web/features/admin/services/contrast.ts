/** The minimum contrast of small text: WCAG 2.2, criterion 1.4.3. */
export const readableContrast = 4.5;

/**
 * The contrast ratio of a colour such as '#1E293B' with white, from 1 to 21, by
 * https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio.
 */
export function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

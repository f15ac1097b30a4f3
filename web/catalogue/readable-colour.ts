/** Of text, by WCAG 2.2 (1.4.3). */
const leastContrast = 4.5;

const channelsOf = (colour: string) => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

/** Relative luminance by WCAG 2.2. */
function luminanceOf(channels: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = channels.map((each) => {
    const share = each / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A colour such as '#FDE68A', darkened as far as it needs for a contrast of 4.5 on white. */
export function readableOnWhite(colour: string): string {
  let channels = channelsOf(colour);
  const isFaint = () => 1.05 / (luminanceOf(channels) + 0.05) < leastContrast;
  if (!isFaint()) return colour;
  while (isFaint()) channels = channels.map((each) => Math.floor(each * 0.97));
  return `#${channels.map((each) => each.toString(16).padStart(2, '0')).join('')}`;
}

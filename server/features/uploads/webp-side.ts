/**
 * The longest side of a WebP in pixels, as its first 30 bytes say, without decoding it; undefined for anything else. The forms
 * of the three kinds of chunk are those of RFC 9649.
 */
export function longestSide(webp: Buffer): number | undefined {
  if (webp.length < 30 || webp.toString('latin1', 0, 4) !== 'RIFF' || webp.toString('latin1', 8, 12) !== 'WEBP')
    return undefined;
  switch (webp.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return Math.max(webp.readUInt16LE(26) & 0x3fff, webp.readUInt16LE(28) & 0x3fff);
    case 'VP8L': {
      const bits = webp.readUInt32LE(21);
      return Math.max((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
    }
    case 'VP8X':
      return Math.max(webp.readUIntLE(24, 3) + 1, webp.readUIntLE(27, 3) + 1);
    default:
      return undefined;
  }
}

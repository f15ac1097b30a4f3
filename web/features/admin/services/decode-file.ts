const french = /[éèàçôîûùÉÈÀÇ]/;
/** What no French word has: other signs, a capital after a small letter or the other way round, a mark inside a word. */
const foreign =
  /[^\0-\x7fàâäçéèêëîïôöùûüÿœæÀÂÄÇÉÈÊËÎÏÔÖÙÛÜŸŒÆ«»°’“”–—…€\xa0]|\p{Ll}(?=[^\0-\x7f])\p{Lu}|\p{Lu}(?=[^\0-\x7f])\p{Ll}\p{Lu}|[…»](?=\p{L})|\p{L}[«“]|\p{L}”(?=\p{L})/u;

/**
 * The text of a file by its bytes: UTF-8, UTF-16 as Excel's 'Texte Unicode', or Windows-1252 as Excel's French CSV where no
 * other encoding can be meant. Of any other file each byte that is no UTF-8 is U+FFFD, which the import refuses by its cell.
 */
export function decodeFile(bytes: ArrayBuffer): string {
  // What has zeros is no text, such as a workbook.
  const decode = (encoding: string) => new TextDecoder(encoding).decode(bytes).replaceAll('\0', '\ufffd');
  const [first, second] = new Uint8Array(bytes);
  if ((first === 0xff && second === 0xfe) || second === 0) return decode('utf-16le');
  if ((first === 0xfe && second === 0xff) || first === 0) return decode('utf-16be');
  const text = decode('utf-8');
  if (!text.includes('\ufffd')) return text;
  // In UTF-8 with a wrong byte the other accents are whole.
  if (/[^\0-\x7f\ufffd]/.test(text)) return text;
  const onWindows = decode('windows-1252');
  return french.test(onWindows) && !foreign.test(onWindows) && foreign.test(decode('macintosh')) ? onWindows : text;
}

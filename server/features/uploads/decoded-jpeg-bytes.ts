/**
 * The bytes that decoding a JPEG holds at once, read from its markers (ITU T.81, annex B), since sharp takes as much memory to read its header and calls any
 * loss of colour 4:2:0. One in a single scan is shrunk as it is read, and holds nothing to speak of; of several scans all coefficients are
 * kept, two bytes each. Infinite where there is no scan to be found.
 */
export function decodedJpegBytes(bytes: Buffer): number {
  let frame: ReturnType<typeof readFrame> | undefined;
  for (let at = 2; at + 10 < bytes.length && bytes[at] === 0xff; ) {
    const marker = bytes.readUInt8(at + 1);
    if (isFrame(marker)) frame = readFrame(bytes.subarray(at));
    if (marker === startOfScan && frame)
      return frame.isProgressive || bytes.readUInt8(at + 4) < frame.components ? frame.coefficients * 2 : 0;
    // A fill byte stands alone.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return Number.POSITIVE_INFINITY;
}

const startOfScan = 0xda;
/** Among the markers of frames three have another meaning. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Marker, length and precision, then height, width, the number of components, and three bytes for each of them. */
function readFrame(bytes: Buffer) {
  const components = bytes.readUInt8(9);
  // How often a component is sampled across, in the upper half of a byte, and down, in the lower.
  const factors = [...bytes.subarray(10, 10 + components * 3)].filter((_, index) => index % 3 === 1);
  const across = factors.map((each) => each >> 4);
  const down = factors.map((each) => each & 15);
  const samples = across.reduce((sum, each, index) => sum + each * (down[index] ?? 0), 0);
  const pixels = bytes.readUInt16BE(5) * bytes.readUInt16BE(7);
  return {
    components,
    coefficients: (pixels * samples) / (Math.max(...across) * Math.max(...down)),
    isProgressive: (bytes.readUInt8(1) & 3) === 2,
  };
}

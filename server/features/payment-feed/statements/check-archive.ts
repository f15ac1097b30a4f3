import { crc32, createInflateRaw } from 'node:zlib';
import { statementLimits } from './statement-limits.ts';
import { StatementRefusal } from './statement-refusal.ts';

interface Part {
  isSheet: boolean;
  crc: number;
  inflated: number;
  /** As it stands in the archive, and whether it is compressed there. */
  bytes: Buffer;
  isPacked: boolean;
}

/**
 * The number of sheets in an Excel file, each of which is whole. Throws StatementRefusal, before anything is inflated,
 * where the parts of the archive say that they hold more than the limits. hucre stops where a part holds more than it says,
 * but takes a size of 0 for none said; and it reads sheets as a stream, without their checksum.
 */
export async function checkArchive(bytes: Uint8Array): Promise<number> {
  const parts = [...partsOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))];
  const [sheets, others] = [parts.filter(({ isSheet }) => isSheet), parts.filter(({ isSheet }) => !isSheet)];
  if (sheets.length === 0) throw new StatementRefusal('unreadable');
  if (sumOf(sheets) > statementLimits.sheetsBytes || sumOf(others) > statementLimits.otherPartsBytes)
    throw new StatementRefusal('too-large');
  for (const sheet of sheets) if (!(await isWhole(sheet))) throw new StatementRefusal('unreadable');
  return sheets.length;
}

const sumOf = (parts: Part[]) => parts.reduce((sum, { inflated }) => sum + inflated, 0);

/** Its directory's entries. Format: APPNOTE.TXT of PKWARE, 4.3.7, 4.3.12 and 4.3.16. Of ZIP64 there is no statement. */
function* partsOf(archive: Buffer): Generator<Part> {
  const end = archive.lastIndexOf('PK\x05\x06');
  if (end < 0 || end + 22 > archive.length) throw new StatementRefusal('unreadable');
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + 46 > archive.length || archive.readUInt32LE(at) !== 0x02014b50) throw new StatementRefusal('unreadable');
    const [crc, packed, inflated] = [16, 20, 24].map((place) => archive.readUInt32LE(at + place)) as [
      number,
      number,
      number,
    ];
    const isSizeElsewhere = packed === 0 && (archive.readUInt16LE(at + 8) & 8) !== 0;
    const local = archive.readUInt32LE(at + 42);
    if (isSizeElsewhere || (inflated === 0 && packed > 2) || local + 30 > archive.length)
      throw new StatementRefusal('unreadable');
    const start = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const nameEnd = at + 46 + archive.readUInt16LE(at + 28);
    yield {
      isSheet: /^xl\/worksheets\/[^/]+$/i.test(archive.toString('latin1', at + 46, nameEnd)),
      crc,
      inflated,
      bytes: archive.subarray(start, start + packed),
      isPacked: archive.readUInt16LE(at + 10) !== 0,
    };
    at = nameEnd + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
}

async function isWhole({ bytes, isPacked, crc, inflated }: Part): Promise<boolean> {
  if (!isPacked) return crc32(bytes) === crc;
  const [inflate, seen] = [createInflateRaw(), { crc: 0, length: 0 }];
  inflate.end(bytes);
  for await (const piece of inflate as AsyncIterable<Buffer>) {
    seen.crc = crc32(piece, seen.crc);
    seen.length += piece.length;
    if (seen.length > inflated) return false;
  }
  return seen.crc === crc;
}

import { expect, test } from 'vitest';
import { decodeText } from './exchange-dialog.tsx';

const bytesOf = (text: string, encoding: BufferEncoding) => {
  const bytes = Buffer.from(text, encoding);
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
};

test.each(['utf8', 'latin1'] as const)('accents are read from a file in %s', (encoding) => {
  expect(decodeText(bytesOf('Télécom;Côte d’Ivoire'.replace('’', "'"), encoding))).toBe("Télécom;Côte d'Ivoire");
});

test('an empty file is empty', () => {
  expect(decodeText(new ArrayBuffer(0))).toBe('');
});

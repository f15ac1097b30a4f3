import { expect, test } from 'vitest';
import { decodeFile } from './decode-file.ts';

const file = 'id;name;price\r\n7;Électricité;À partir de 1 500 F\r\n8;Côte d’Ivoire;Ça va «\u00a0bien\u00a0»';
const bytesOf = (...bytes: number[]) => Uint8Array.from(bytes).buffer;

/** Each sign of `high` stands for a byte, from 0x80 on. */
function encode(text: string, high: string): ArrayBuffer {
  return bytesOf(
    ...[...text].map((sign) => {
      const place = high.indexOf(sign);
      return sign < '\x80' ? sign.charCodeAt(0) : place >= 0 ? 0x80 + place : 0x3f;
    }),
  );
}
const windows = new TextDecoder('windows-1252').decode(bytesOf(...Array.from({ length: 128 }, (_, at) => 0x80 + at)));
const mac = new TextDecoder('macintosh').decode(bytesOf(...Array.from({ length: 128 }, (_, at) => 0x80 + at)));
/** Of DOS and of Excel's 'CSV (MS-DOS)', which no browser decodes. */
const dos =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

const utf16 = (text: string, isLittle: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2));
  for (const [at, unit] of text.split('').entries()) view.setUint16(at * 2, unit.charCodeAt(0), isLittle);
  return view.buffer;
};
const utf8 = (text: string) => new TextEncoder().encode(text).buffer as ArrayBuffer;

test.each<[string, ArrayBuffer]>([
  ['UTF-8', utf8(file)],
  ['UTF-8 with its mark', utf8(`\ufeff${file}`)],
  ['UTF-16, little end first', utf16(`\ufeff${file}`, true)],
  ['UTF-16, big end first', utf16(`\ufeff${file}`, false)],
  ['UTF-16 without a mark', utf16(file, true)],
  ['UTF-16 without a mark, big end first', utf16(file, false)],
  ['Windows-1252', encode(file, windows)],
])('a file in %s is read', (_, bytes) => {
  expect(decodeFile(bytes)).toBe(file);
});

test.each(['Électricité', 'Télécom', 'CRÉDIT', 'Forfait à 500 F', 'Œuvre à cœur', 'Frère–Sœur, été… Ça', 'août'])(
  '%s is read in Windows-1252, and never taken for it in another encoding',
  (word) => {
    expect(decodeFile(encode(`name\n${word}`, windows))).toBe(`name\n${word}`);
    for (const other of [mac, dos]) expect(decodeFile(encode(`name\n${word}`, other))).toContain('\ufffd');
  },
);

test.each<[string, ArrayBuffer]>([
  ['UTF-8 with one wrong byte', bytesOf(...new Uint8Array(utf8(`name\nTélécom\nÉlectricité`)).with(6, 0xe9))],
  ['UTF-8 that lost the end of a letter', bytesOf(...new Uint8Array(utf8('name\nTé')).slice(0, -1))],
  ['Mac Roman', encode(file, mac)],
  ['the code page of DOS', encode(file, dos)],
  ['UTF-16 cut in a letter', bytesOf(...new Uint8Array(utf16(`\ufeff${file}`, true)).slice(0, -1))],
  ['Windows-1252 without a French word', encode('name\n5 €', windows)],
  ['a workbook', bytesOf(0x50, 0x4b, 3, 4, 0x14, 0, 6, 0, 8, 0)],
  ['a picture', bytesOf(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0xd8)],
])('in %s what is no letter for certain is marked as such', (_, bytes) => {
  expect(decodeFile(bytes)).toContain('\ufffd');
});

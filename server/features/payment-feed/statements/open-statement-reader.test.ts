import path from 'node:path';
import { expect, test } from 'vitest';
import { openStatementReader } from './open-statement-reader.ts';
import type { StatementRow } from './read-statement.ts';
import { statementLimits } from './statement-limits.ts';
import { readStatementModels } from './statement-model.ts';
import { type RefusalReason, refusalSentences } from './statement-refusal.ts';

const models = readStatementModels(path.join(import.meta.dirname, '../operators'));
const header = 'timestamp,transaction_id,transaction_type,amount,fee,currency,counterparty_mobile\n';

/** A day of payments of Wave, one a second from midnight on. */
function wave(rows: number): Buffer {
  const line = (index: number) => {
    const clock = new Date(index * 1_000).toISOString().slice(11, 19);
    return `2026-04-03T${clock},T_${index},api_checkout,1980,20,XOF,22177${String(index).padStart(7, '0')}\n`;
  };
  return Buffer.from(header + Array.from({ length: rows }, (_, index) => line(index)).join(''));
}

const refusal = (reason: RefusalReason) => ({ name: 'StatementRefusal', reason, message: refusalSentences[reason] });

test('hands over the rows of a file in order, in chunks, and then says what it was', async () => {
  const chunks: StatementRow[][] = [];
  const summary = await openStatementReader()(wave(12_001), models, async (rows, { model }) => {
    expect(model).toMatch(/^wave-.*\/export-anglais@1$/);
    await Promise.resolve();
    chunks.push(rows);
  });
  expect(chunks.map((rows) => rows.length)).toEqual([5_000, 5_000, 2_001]);
  expect(chunks.flat().map(({ reference }) => reference)).toEqual(Array.from({ length: 12_001 }, (_, i) => `T_${i}`));
  expect(summary.counts).toEqual({ settled: 12_001, failed: 0, reversed: 0, faults: 0, skipped: 0 });
});

test.each<[RefusalReason, Buffer]>([
  ['empty', Buffer.from('')],
  ['unknown', Buffer.from('a,b\n1,2\n')],
  ['too-large', Buffer.alloc(statementLimits.fileBytes + 1)],
])('refuses a file as %s, and hands over nothing', async (reason, bytes) => {
  const read = openStatementReader();
  await expect(read(bytes, models, () => expect.unreachable())).rejects.toMatchObject(refusal(reason));
});

/** An old Excel file of 4 MB whose 4,000 streams are all the same 4 MB, which hucre reads one by one. */
function bombOfStreams(): Buffer {
  const [fats, directories, sectors] = [72, 1_000, 8_000];
  const file = Buffer.alloc(512 * (1 + fats + directories + sectors));
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  for (const [at, value] of [
    [30, 9],
    [32, 6],
    [44, fats],
    [48, fats],
    [56, 4096],
    [60, 0xfffffffe],
    [68, 0xfffffffe],
  ] as const)
    file.writeUInt32LE(value, at);
  for (let fat = 0; fat < fats; fat += 1) file.writeUInt32LE(fat, 76 + 4 * fat);
  for (let sector = 0; sector < fats + directories + sectors; sector += 1) {
    const isLast = sector === fats + directories - 1 || sector === fats + directories + sectors - 1;
    file.writeUInt32LE(isLast ? 0xfffffffe : sector + 1, 512 + 4 * sector);
  }
  for (let entry = 0; entry < directories * 4; entry += 1) {
    const at = 512 * (1 + fats) + 128 * entry;
    file.writeUInt16LE(entry, at);
    file.writeUInt16LE(2, at + 64);
    file.writeUInt8(entry === 0 ? 5 : 2, at + 66);
    file.writeUInt32LE(fats + directories, at + 116);
    file.writeUInt32LE(sectors * 512, at + 120);
  }
  return file;
}

test('refuses a file that needs more memory or time, and reads the next one', async () => {
  const bytes = wave(50_000);
  const take = () => {};
  const small = openStatementReader({ ...statementLimits, oldMegabytes: 16, youngMegabytes: 2 });
  await expect(small(bytes, models, take)).rejects.toMatchObject(refusal('too-large'));
  await expect(small(wave(1), models, take)).resolves.toMatchObject({ counts: { settled: 1 } });
  const short = openStatementReader({ ...statementLimits, readMs: 1, watchMs: 1 });
  await expect(short(bytes, models, take)).rejects.toMatchObject(refusal('too-slow'));
});

test('refuses a file at which the process grows, and reads the next one', async () => {
  const read = openStatementReader({ ...statementLimits, grownBytes: 400 * 2 ** 20, watchMs: 5 });
  await expect(read(bombOfStreams(), models, () => {})).rejects.toMatchObject(refusal('too-large'));
  await expect(read(wave(1), models, () => {})).resolves.toMatchObject({ counts: { settled: 1 } });
});

test('refuses a file at which the thread crashes', async () => {
  // No model of ours has an expression that cannot be run.
  const broken = models.map((model) => ({ ...model, columns: null as never }));
  await expect(openStatementReader()(wave(1), broken, () => {})).rejects.toMatchObject(refusal('crashed'));
});

test('reads one file at a time, lets few wait, and refuses the others', async () => {
  const read = openStatementReader({ ...statementLimits, waiting: 1 });
  const order: string[] = [];
  const take = (name: string) => async () => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`${name} ends`);
  };
  const first = read(wave(1), models, take('first'));
  const second = read(wave(1), models, take('second'));
  await expect(read(wave(1), models, take('third'))).rejects.toMatchObject({ code: 'BUSY' });
  await Promise.all([first, second]);
  expect(order).toEqual(['first begins', 'first ends', 'second begins', 'second ends']);
});

test('throws what the taker of its rows throws, and reads on', async () => {
  const read = openStatementReader();
  const full = () => Promise.reject(new Error('disk full'));
  await expect(read(wave(20_000), models, full)).rejects.toThrow('disk full');
  await expect(read(wave(1), models, () => {})).resolves.toMatchObject({ counts: { settled: 1 } });
});

import { writeXlsx } from 'hucre/xlsx';
import { expect, test } from 'vitest';
import { openStatementReader } from './open-statement-reader.ts';
import type { StatementContext } from './read-statement.ts';
import { type RefusalReason, refusalSentences, statementLimits } from './statement-limits.ts';
import { readStatementModels } from './statement-model.ts';

const models = readStatementModels();
const now = new Date('2026-11-28T12:00:00Z');
const context: StatementContext = { country: '+221', now, models, others: [], wallet: undefined };
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

test('answers the rows of a file in order, however many chunks the thread hands them over in', async () => {
  const { model, rows, faults } = await openStatementReader()(wave(5_001), context);
  expect(model).toMatch(/^wave-.*\/export-anglais@1$/);
  expect(rows.map(({ reference }) => reference)).toEqual(Array.from({ length: 5_001 }, (_, i) => `T_${i}`));
  expect(faults).toEqual([]);
});

test.each<[RefusalReason, Buffer]>([
  ['empty', Buffer.from('')],
  ['unknown', Buffer.from('a,b\n1,2\n')],
  ['unreadable', Buffer.from('PK\x03\x04[Content_Types].xml and no workbook')],
  ['too-large', Buffer.alloc(statementLimits.fileBytes + 1)],
])('refuses a file as %s', async (reason, bytes) => {
  await expect(openStatementReader()(bytes, context)).rejects.toMatchObject(refusal(reason));
});

test('refuses a file that needs more memory or time or at which the thread crashes, and reads the next one', async () => {
  const bytes = wave(40_000);
  const small = openStatementReader({ ...statementLimits, oldMegabytes: 16, youngMegabytes: 2 });
  await expect(small(bytes, context)).rejects.toMatchObject(refusal('too-large'));
  await expect(small(wave(1), context)).resolves.toMatchObject({ rows: [{ gross: 2_000 }] });
  const short = openStatementReader({ ...statementLimits, readMs: 1, watchMs: 1 });
  await expect(short(bytes, context)).rejects.toMatchObject(refusal('too-slow'));
  const grown = openStatementReader({ ...statementLimits, grownBytes: 1, watchMs: 1 });
  await expect(grown(bytes, context)).rejects.toMatchObject(refusal('too-large'));
  // No model of ours has an expression that cannot be run.
  const broken = { ...context, models: models.map((model) => ({ ...model, columns: null as never })) };
  await expect(openStatementReader()(wave(1), broken)).rejects.toMatchObject(refusal('crashed'));
});

test('refuses a bomb, a small Excel file that inflates to much, and reads the next one', async () => {
  const bomb = Buffer.from(await writeXlsx({ sheets: [{ name: 'a', rows: [['a'.repeat(32 * 2 ** 20)]] }] }));
  expect(bomb.length).toBeLessThan(100_000);
  const read = openStatementReader({ ...statementLimits, grownBytes: 64 * 2 ** 20, watchMs: 1 });
  await expect(read(bomb, context)).rejects.toMatchObject({ name: 'StatementRefusal' });
  await expect(openStatementReader()(wave(1), context)).resolves.toMatchObject({ rows: [{ gross: 2_000 }] });
});

test('reads one file at a time, lets few wait, and refuses the others', async () => {
  const read = openStatementReader({ ...statementLimits, waiting: 1 });
  const both = [read(wave(1), context), read(wave(1), context)];
  await expect(read(wave(1), context)).rejects.toMatchObject({ code: 'IMPORT_BUSY' });
  expect((await Promise.all(both)).map(({ rows }) => rows.length)).toEqual([1, 1]);
});

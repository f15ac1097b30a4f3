import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { rows as ask, sql } from '#server/database/rows.ts';
import { buildAdmin } from '#server/testing/builders.ts';
import { openPaymentBook, told, later } from '#server/testing/payment-book.ts';
import { startTestApi } from '#server/testing/test-api.ts';
import { recordLines } from './lines.ts';
import { insertImport } from './store.ts';
import { undoImport } from './undo-import.ts';
const api = await startTestApi({ lockMs: 300_000 });
const { client: admin } = await buildAdmin(api);
const { accountId } = await openPaymentBook(api, admin);
const n = 100_000;
const lines = (state: 'announced' | 'settled') => Array.from({ length: n }, (_, i) => told({ state, reference: `T_X${String(i).padStart(9, '0')}`, payer: `+22670${String((i * 7919) % 1_000_000).padStart(6, '0')}`, paidAt: later(-i * 20), gross: 100 + (i % 500), fee: state === 'settled' ? 1000 : null }));
const cpu = (pid: number) => { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' '); return (Number(f[11]) + Number(f[12])) / 100; };
async function timed(name: string, work: (tx: any) => Promise<unknown>) {
  const start = performance.now();
  const c = await api.db.transaction(async (tx) => {
    await tx.execute(sql`set local statement_timeout = 0`);
    const [{ pid }] = (await ask<{ pid: number }>(tx as never, sql`select pg_backend_pid() as pid`)) as [{ pid: number }];
    const before = cpu(pid);
    const out = await work(tx);
    return [Number((cpu(pid) - before).toFixed(2)), JSON.stringify(out)?.slice(0, 200)];
  });
  console.log(name, 'backend cpu s, wall', c[0], ((performance.now() - start) / 1000).toFixed(1), c[1]);
}
const mark = async (tx: any) => ({ id: await insertImport(tx, { accountId, fileName: 'a', model: 'm', operator: 'o' }), over: new Set<number>() });
test('perf', { timeout: 1_200_000 }, async () => {
  await timed('warm', async (tx) => recordLines(tx, accountId, 'file', lines('settled').slice(0, 5000)));
  for (let turn = 0; turn < 3; turn += 1) {
    await api.pool.query('truncate payment_lines cascade'); await api.pool.query('drop index if exists payment_lines_import');
    await timed('fresh, before', async (tx) => recordLines(tx, accountId, 'file', lines('settled')));
    await timed('known, before', async (tx) => recordLines(tx, accountId, 'file', lines('settled')));
    await api.pool.query('truncate payment_lines cascade'); await api.pool.query('create index payment_lines_import on payment_lines (import_id) where import_id is not null');
    let id = 0;
    await timed('fresh, mark', async (tx) => { const m = await mark(tx); id = m.id; return recordLines(tx, accountId, 'file', lines('settled'), m); });
    await timed('known, mark', async (tx) => recordLines(tx, accountId, 'file', lines('settled'), await mark(tx)));
    await timed('undo created', async (tx) => (await undoImport(tx, id)).counts);
    await api.pool.query('truncate payment_lines cascade'); await api.pool.query('drop index payment_lines_import');
    await timed('sms', async (tx) => recordLines(tx, accountId, 'sms', lines('announced')));
    await api.pool.query('analyze payment_lines');
    await timed('completed, before', async (tx) => recordLines(tx, accountId, 'file', lines('settled')));
    await api.pool.query('truncate payment_lines cascade'); await api.pool.query('create index payment_lines_import on payment_lines (import_id) where import_id is not null');
    await timed('sms', async (tx) => recordLines(tx, accountId, 'sms', lines('announced')));
    await api.pool.query('analyze payment_lines');
    await timed('completed, mark', async (tx) => { const m = await mark(tx); id = m.id; return recordLines(tx, accountId, 'file', lines('settled'), m); });
    await timed('undo completed', async (tx) => (await undoImport(tx, id)).counts);
  }
});

import type { ResponseOf } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import { type importStatement as endpoint, rowsPreviewed } from '#contract/payment-feed.ts';
import type { Db } from '#server/database/connect.ts';
import { sql } from '#server/database/rows.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { statementClocks } from './limits.ts';
import { recordLines } from './lines.ts';
import type { StatementReader } from './statements/open-statement-reader.ts';
import { StatementRefusal } from './statements/statement-limits.ts';
import { modelsFor, type StatementModel, walletOf } from './statements/statement-model.ts';
import { deleteImport, insertImport, requireStatementClock, updateImport } from './store.ts';

/** Rows of an import or its undoing from which the table is analysed at once. */
export const analyzedRows = 1_000;

export interface ImportTools {
  db: Db;
  statements: StatementReader;
  models: readonly StatementModel[];
}

/**
 * Reads a statement of an account and writes its lines, all or none. A dry run rolls them back, so that its counts are those of the
 * import. Importing a file again changes nothing. Throws PAYMENT_ACCOUNT_NOT_FOUND, STATEMENT_UNKNOWN, IMPORT_BUSY, and BUSY if writing
 * takes too long.
 */
export async function importStatement(
  { db, statements, models }: ImportTools,
  {
    accountId,
    dryRun,
    file,
    fileName,
    by,
  }: { accountId: number; dryRun: boolean; file: Buffer; fileName: string; by: number },
  write: AuditedWrite,
): Promise<ResponseOf<typeof endpoint>> {
  const clock = await requireStatementClock(db, accountId);
  const context = { ...clock, ...modelsFor(models, clock) };
  const { rows, model, operator, faults } = await statements(file, context).catch((error: unknown) => {
    throw error instanceof StatementRefusal ? new Failure('STATEMENT_UNKNOWN', { message: error.message }) : error;
  });
  const record = async (tx: Db) => {
    const id = await insertImport(tx, { accountId, fileName, model, operator, importedBy: by });
    const over = new Set<number>();
    const until = performance.now() + statementClocks.writeMs;
    const counts = await recordLines(tx, accountId, 'file', rows, { id, over, until });
    const { created, completed } = counts;
    if (created + completed === 0) await deleteImport(tx, id);
    else await updateImport(tx, id, { created, completed, over: [...over] });
    return counts;
  };
  const counts = dryRun
    ? await rolledBack(db, record)
    : await write(async (tx, note) => {
        const recorded = await record(tx);
        // Without new statistics PostgreSQL plans for the earlier table, and proposals take seconds.
        if (recorded.created >= analyzedRows) await tx.execute(sql`analyze payment_lines`);
        const { created, completed } = recorded;
        const details = { fileName, model, rows: rows.length, created, completed };
        note({ target: accountId, details, unchanged: created + completed === 0 });
        return recorded;
      });
  const [from, to] = spanOf(rows);
  return {
    ...counts,
    model,
    wallet: walletOf(operator),
    faults,
    rows: rows.length,
    payments: rows.filter(({ direction, state }) => direction === 'in' && state !== 'failed').length,
    from,
    to,
    first: rows.slice(0, rowsPreviewed).map((row) => ({ ...row, paidAt: row.paidAt.toISOString() })),
    written: !dryRun && counts.created + counts.completed > 0,
  };
}

/** The times of the first and the last payment. */
function spanOf(rows: readonly { paidAt: Date }[]): [from: string | null, to: string | null] {
  let [from, to] = [rows[0]?.paidAt, rows[0]?.paidAt];
  for (const { paidAt } of rows) {
    if (from && paidAt < from) from = paidAt;
    if (to && paidAt > to) to = paidAt;
  }
  return [from?.toISOString() ?? null, to?.toISOString() ?? null];
}

/** Runs work in a transaction that is always rolled back, and answers its result. */
async function rolledBack<Result>(db: Db, work: (tx: Db) => Promise<Result>): Promise<Result> {
  const undo = new Error('rolled back');
  const done: Result[] = [];
  await db
    .transaction(async (tx) => {
      done.push(await work(tx));
      throw undo;
    })
    .catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  return done[0] as Result;
}

import { createHash } from 'node:crypto';
import type { ResponseOf } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import { type importStatement as endpoint, rowsPreviewed } from '#contract/payment-feed.ts';
import type { Db } from '#server/database/connect.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { type KeyedLine, keyLines, type ToldLine } from './lines.ts';
import { type Recorded, recordLines } from './record-lines.ts';
import type { StatementReader } from './statements/open-statement-reader.ts';
import type { StatementRow } from './statements/read-statement.ts';
import type { StatementModel } from './statements/statement-model.ts';
import { StatementRefusal } from './statements/statement-refusal.ts';
import { countKnown, insertImport, isImported, requireAccount } from './store.ts';

export interface ImportTools {
  db: Db;
  statements: StatementReader;
  models: readonly StatementModel[];
}

interface Order {
  accountId: number;
  dryRun: boolean;
  file: Buffer;
  administratorId: number;
}

/**
 * Reads a statement of an account, and unless it is a dry run writes its rows, all or none. The same file twice changes
 * nothing. Throws PAYMENT_ACCOUNT_NOT_FOUND, STATEMENT_UNKNOWN and BUSY.
 */
export async function importStatement(
  { db, statements, models }: ImportTools,
  { accountId, dryRun, file, administratorId }: Order,
  write: AuditedWrite,
): Promise<ResponseOf<typeof endpoint>> {
  const account = await requireAccount(db, accountId);
  const sha256 = createHash('sha256').update(file).digest('hex');
  const counts = { rows: 0, payments: 0, created: 0, completed: 0, unchanged: 0 };
  const times: number[] = [];
  const first: StatementRow[] = [];
  const all: StatementRow[] = [];
  const summary = await statements(
    file,
    models.filter(({ country }) => country === account.country),
    (rows) => {
      counts.rows += rows.length;
      counts.payments += rows.filter(({ direction, state }) => direction === 'in' && state !== 'failed').length;
      first.push(...rows.slice(0, rowsPreviewed - first.length));
      for (const { paidAt } of rows) times.push(Date.parse(paidAt));
      all.push(...rows);
    },
  ).catch((error: unknown) => {
    throw error instanceof StatementRefusal ? new Failure('STATEMENT_UNKNOWN', { message: error.message }) : error;
  });
  const lines = keyLines(all.map(toldOf));
  const inTurn = async (count: (some: KeyedLine[]) => Promise<Recorded>) => {
    for (let at = 0; at < lines.length; at += rowsAtOnce) {
      const recorded = await count(lines.slice(at, at + rowsAtOnce));
      counts.created += recorded.created;
      counts.completed += recorded.completed;
      counts.unchanged += recorded.unchanged;
    }
  };
  times.sort((a, b) => a - b);
  const [from, to] = [times[0], times.at(-1)].map((time) => (time === undefined ? null : new Date(time)));
  const { model, faults } = summary;
  const writes = !dryRun && !(await isImported(db, accountId, { sha256, model }));
  if (writes)
    await write(async (tx, note) => {
      await inTurn((some) => recordLines(tx, accountId, 'file', some));
      await insertImport(tx, {
        accountId,
        sha256,
        model,
        rows: counts.rows,
        periodFrom: from,
        periodTo: to,
        importedBy: administratorId,
      });
      note({ target: accountId, details: { rows: counts.rows, created: counts.created } });
    });
  else await inTurn((some) => countKnown(db, accountId, some));
  return {
    ...counts,
    from: from?.toISOString() ?? null,
    to: to?.toISOString() ?? null,
    model,
    faults,
    first: first.map(presentRow),
    written: writes,
  };
}

/** Rows in one statement. */
const rowsAtOnce = 5_000;

const toldOf = ({ row: _, paidAtPrecision, paidAt, ...line }: StatementRow): ToldLine => ({
  ...line,
  paidAt: new Date(paidAt),
  isDayOnly: paidAtPrecision === 'day',
  isTrusted: true,
});

const presentRow = ({ row, direction, state, gross, fee, reference, payer, paidAt }: StatementRow) => ({
  row,
  direction,
  state,
  gross,
  fee,
  reference,
  payer,
  paidAt,
});

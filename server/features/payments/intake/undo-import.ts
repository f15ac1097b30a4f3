import type { ResponseOf } from '#contract/endpoint.ts';
import { Failure } from '#contract/failure.ts';
import type { undoPaymentImport as endpoint } from '#contract/payment-feed.ts';
import type { Db } from '#server/database/connect.ts';
import { rows, type Sql, sql } from '#server/database/rows.ts';
import { analyzedRows } from './import-statement.ts';
import { toldColumns } from './imported-lines.ts';
import { paymentFeedLimits } from './limits.ts';
import { bitOf, reverse } from './lines.ts';
import { deleteImport, findImportOver, type ImportRow, lockImport, lockPairedSince } from './store.ts';

/** Most tickets that the refusal names. */
const ticketsNamed = 5;

/**
 * Undoes a whole import in the caller's transaction. Lines that no other input has are deleted; the others get their state without the
 * import. Throws PAYMENT_NOT_FOUND, and PAYMENT_TAKEN if a later import has its lines or a line was paired with a ticket since.
 */
export async function undoImport(
  tx: Db,
  id: number,
): Promise<{ undone: ImportRow; counts: ResponseOf<typeof endpoint> }> {
  const undone = await lockImport(tx, id);
  const later = await findImportOver(tx, id);
  if (later) throw new Failure('PAYMENT_TAKEN', { message: coveredBy(later) });
  const tickets = await lockPairedSince(tx, undone);
  if (tickets.length > 0) throw new Failure('PAYMENT_TAKEN', { message: pairedWith(tickets) });
  const restored = await repeat(tx, restoreLines(id));
  const deleted = (await repeat(tx, deleteCreated(id))).length;
  const lost = await rows<Reference>(tx, loseStatement(id));
  // Reversals from other inputs also apply to restored lines.
  const references = [...restored, ...lost].flatMap(({ reference }) => reference ?? []);
  await tx.execute(reverse({ accountId: undone.accountId, mark: undefined }, references));
  await deleteImport(tx, id);
  if (deleted >= analyzedRows) await tx.execute(sql`analyze payment_lines`);
  return { undone, counts: { deleted, restored: restored.length + lost.length } };
}

interface Reference {
  reference: string | null;
}

const some = sql`limit ${paymentFeedLimits.undoneAtOnce}`;

/** Restores some lines of an import to their state without it. */
const restoreLines = (id: number) => sql`
  update payment_lines l set updated_at = now(),
    ${sql.raw([...toldColumns, 'import_id', 'before_import'].map((column) => `${column} = b.${column}`).join(', '))}
  from (select id as line_id, before_import as kept from payment_lines
    where import_id = ${id} and before_import is not null ${some}) old
  cross join lateral jsonb_populate_record(null::payment_lines, old.kept) b
  where l.id = old.line_id returning l.plain_reference as reference`;

/** Deletes some lines that only this import has. */
const deleteCreated = (id: number) => sql`
  delete from payment_lines where id in (select id from payment_lines
    where import_id = ${id} and before_import is null and seen_in = ${bitOf('file')} ${some})
  returning plain_reference as reference`;

/**
 * If several imports had a line when another input reported it, its state without them is unknown. It then loses only the statement's
 * confirmation.
 */
const loseStatement = (id: number) => sql`
  update payment_lines set seen_in = seen_in & ~${bitOf('file')}::int, import_id = null, updated_at = now(),
    state = case when state = 'settled' and seen_in & ${bitOf('wave')}::int = 0 then 'announced' else state end
  where import_id = ${id} returning plain_reference as reference`;

/** Repeats an SQL statement until it affects no line; answers the lines' references. */
async function repeat(tx: Db, statement: Sql): Promise<Reference[]> {
  const all: Reference[] = [];
  for (;;) {
    const some = await rows<Reference>(tx, statement);
    if (some.length === 0) return all;
    all.push(...some);
  }
}

const coveredBy = ({ fileName, createdAt }: ImportRow) =>
  `Un relevé importé depuis, « ${fileName} » du ${createdAt.toLocaleDateString('fr', { timeZone: 'UTC' })}, a des lignes de celui-ci. Annulez-le d'abord.`;

function pairedWith(tickets: readonly number[]): string {
  const numbers = `${tickets.slice(0, ticketsNamed).join(', ')}${tickets.length > ticketsNamed ? '…' : ''}`;
  const [paid, them] =
    tickets.length === 1
      ? [`Un paiement de ce relevé est relié au ticket n° ${numbers}`, 'le']
      : [`${tickets.length} paiements de ce relevé sont reliés à des tickets (n° ${numbers})`, 'les'];
  return `${paid}. Retirez-${them} d'abord, dans « Tous les paiements ».`;
}

import { and, asc, count, desc, eq, getTableColumns, gt, inArray, isNotNull, lt, max, sql } from 'drizzle-orm';
import { Failure } from '#contract/failure.ts';
import { compareFrench } from '#contract/french-order.ts';
import type { PaymentAccount, PaymentSource, SourceTrouble } from '#contract/payment-feed.ts';
import { findWallet } from '#contract/wallets.ts';
import { nextVersion } from '#server/database/columns.ts';
import { type Db, violatedConstraint } from '#server/database/connect.ts';
import { rows } from '#server/database/rows.ts';
import { users } from '#server/features/users/tables.ts';
import { paymentFeedLimits } from './limits.ts';
import { paymentAccounts, paymentImports, paymentMessages, paymentSources, previousAddresses } from './tables.ts';

export type AccountRow = typeof paymentAccounts.$inferSelect;
export type SourceRow = typeof paymentSources.$inferSelect;
export type MessageRow = typeof paymentMessages.$inferSelect;
export type ImportRow = typeof paymentImports.$inferSelect;

/** A payment type in a country, to which taught shapes belong. */
export interface Wallet extends Pick<AccountRow, 'country'> {
  paymentTypeId: number;
}

/** Whether a source was active, but not in the last day. */
export const isSilent = sql<boolean>`
  coalesce(last_seen_at < now() - make_interval(secs => ${paymentFeedLimits.silentMs / 1_000}), false)`;

/** Every account with its sources, and the counts of the last seven days. */
export async function readAccounts(db: Db): Promise<PaymentAccount[]> {
  const accounts = await db.select().from(paymentAccounts);
  const sources = await db
    .select({ source: paymentSources, isSilent })
    .from(paymentSources)
    .orderBy(asc(paymentSources.id));
  const { accountId, state, receivedAt } = paymentMessages;
  const counts = await db
    .select({ accountId, messages: count(), unread: sql<number>`(count(*) filter (where ${state} = 'unread'))::int` })
    .from(paymentMessages)
    .where(gt(receivedAt, sql`now() - interval '7 days'`))
    .groupBy(accountId);
  const { sourceId, sim } = paymentMessages;
  const sims = await db
    .select({ sourceId, sim, messages: count(), lastAt: max(receivedAt) })
    .from(paymentMessages)
    .where(and(isNotNull(sim), gt(receivedAt, sql`now() - make_interval(days => ${paymentFeedLimits.textDays})`)))
    .groupBy(sourceId, sim);
  return accounts
    .sort((a, b) => compareFrench(a.label, b.label) || a.id - b.id)
    .map(({ createdAt, updatedAt, ...account }) => {
      const { messages = 0, unread = 0 } = counts.find((each) => each.accountId === account.id) ?? {};
      return {
        ...account,
        messages,
        unread,
        sources: sources
          .filter(({ source }) => source.accountId === account.id)
          .map(({ source, isSilent }) => ({
            id: source.id,
            kind: source.kind,
            name: source.name,
            isSigned: source.signingSecret !== null,
            lastSeenAt: source.lastSeenAt?.toISOString() ?? null,
            isSilent,
            trouble: source.trouble && {
              kind: source.trouble,
              minutes: source.clockMinutes,
              at: (source.troubleAt ?? source.createdAt).toISOString(),
            },
            sim: source.sim,
            isSimChosen: source.isSimChosen,
            sims: simsOf(source, sims),
            createdAt: source.createdAt.toISOString(),
          })),
        createdAt: createdAt.toISOString(),
        updatedAt: updatedAt.toISOString(),
      };
    });
}

/** The SIMs of a source's messages, always including the chosen one. */
function simsOf(
  { id, sim }: SourceRow,
  seen: readonly { sourceId: number | null; sim: string | null; messages: number; lastAt: Date | null }[],
): PaymentSource['sims'] {
  const own = seen.filter(({ sourceId }) => sourceId === id);
  const quiet = own.length > 0 && sim !== null && !own.some((each) => each.sim === sim);
  return [...own, ...(quiet ? [{ sim, messages: 0, lastAt: null }] : [])]
    .map(({ sim: name, messages, lastAt }) => ({ sim: name ?? '', messages, lastAt: lastAt?.toISOString() ?? null }))
    .toSorted((a, b) => a.sim.localeCompare(b.sim));
}

/** Throws PAYMENT_ACCOUNT_NOT_FOUND. */
export async function requireAccount(db: Db, id: number): Promise<AccountRow> {
  const [row] = await db.select().from(paymentAccounts).where(eq(paymentAccounts.id, id));
  if (!row) throw new Failure('PAYMENT_ACCOUNT_NOT_FOUND');
  return row;
}

/**
 * What reading an account's statement needs: country, time, and the wallet, if its payment type names one. Throws
 * PAYMENT_ACCOUNT_NOT_FOUND.
 */
export async function requireStatementClock(db: Db, id: number) {
  const [row] = await rows<Pick<AccountRow, 'country'> & { name: string | null; operator: string | null; now: Date }>(
    db,
    sql`select a.country, t.name, t.operator, now() as now
        from payment_accounts a left join payment_types t on t.id = a.payment_type_id where a.id = ${id}`,
  );
  if (!row) throw new Failure('PAYMENT_ACCOUNT_NOT_FOUND');
  const { country, name, operator, now } = row;
  return { country, now, wallet: findWallet(name, operator)?.name };
}

/** Locks an account: until the transaction ends, others write no lines of it. Throws PAYMENT_ACCOUNT_NOT_FOUND. */
export async function lockAccount(db: Db, id: number): Promise<AccountRow> {
  const [row] = await db.select().from(paymentAccounts).where(eq(paymentAccounts.id, id)).for('no key update');
  if (!row) throw new Failure('PAYMENT_ACCOUNT_NOT_FOUND');
  return row;
}

/** Locks every account of a wallet in a country, as `lockAccount`. */
export const lockWallet = (db: Db, { paymentTypeId, country }: Wallet): Promise<AccountRow[]> =>
  db
    .select()
    .from(paymentAccounts)
    .where(and(eq(paymentAccounts.paymentTypeId, paymentTypeId), eq(paymentAccounts.country, country)))
    .orderBy(asc(paymentAccounts.id))
    .for('no key update');

const saved = (saving: PromiseLike<AccountRow[]>): Promise<AccountRow> =>
  Promise.resolve(saving).then(
    ([row]) => row as AccountRow,
    (error: unknown) => {
      throw violatedConstraint(error) === 'payment_accounts_once' ? new Failure('PAYMENT_ACCOUNT_TAKEN') : error;
    },
  );

/** Throws PAYMENT_ACCOUNT_TAKEN. */
export const insertAccount = (db: Db, account: typeof paymentAccounts.$inferInsert): Promise<AccountRow> =>
  saved(db.insert(paymentAccounts).values(account).returning());

/** Throws PAYMENT_ACCOUNT_TAKEN. */
export const updateAccount = (
  db: Db,
  id: number,
  fields: Partial<typeof paymentAccounts.$inferInsert>,
): Promise<AccountRow> =>
  saved(
    db
      .update(paymentAccounts)
      // Also for a change without fields.
      .set({ ...fields, updatedAt: nextVersion() })
      .where(eq(paymentAccounts.id, id))
      .returning(),
  );

export async function insertSource(db: Db, source: typeof paymentSources.$inferInsert): Promise<SourceRow> {
  const [row] = await db.insert(paymentSources).values(source).returning();
  return row as SourceRow;
}

/** Throws PAYMENT_SOURCE_NOT_FOUND. */
export async function lockSource(db: Db, id: number): Promise<SourceRow> {
  const [row] = await db.select().from(paymentSources).where(eq(paymentSources.id, id)).for('update');
  if (!row) throw new Failure('PAYMENT_SOURCE_NOT_FOUND');
  return row;
}

/** Gives a locked source a new address and signing secret. The previous ones stay valid for a day. */
export async function rotateSource(
  db: Db,
  before: SourceRow,
  after: Pick<SourceRow, 'secretHash' | 'signingSecret'>,
): Promise<void> {
  const { sourceId, until } = previousAddresses;
  await db.delete(previousAddresses).where(and(eq(sourceId, before.id), lt(until, sql`now()`)));
  await db.insert(previousAddresses).values({
    sourceId: before.id,
    secretHash: before.secretHash,
    signingSecret: before.signingSecret,
    until: sql`now() + make_interval(hours => ${paymentFeedLimits.previousHours})`,
  });
  await db.update(paymentSources).set(after).where(eq(paymentSources.id, before.id));
}

export async function deleteSource(db: Db, id: number): Promise<void> {
  await db.delete(paymentSources).where(eq(paymentSources.id, id));
}

/** The source by its address's hashed secret, with all valid signing secrets, and whether calls must be signed. */
export async function findSource(db: Db, secretHash: string) {
  const [row] = await rows<
    Pick<SourceRow, 'id' | 'accountId' | 'kind' | 'trouble'> &
      Pick<AccountRow, 'country'> & { signing: string[]; isSigned: boolean }
  >(
    db,
    sql`
      with held as (
        select id as source_id, secret_hash, signing_secret from payment_sources
        union all
        select source_id, secret_hash, signing_secret from payment_previous_addresses where until > now())
      select s.id, s.account_id as "accountId", s.kind, s.trouble, a.country, h.signing_secret is not null as "isSigned",
             array(select signing_secret from held where source_id = s.id and signing_secret is not null) as signing
      from held h join payment_sources s on s.id = h.source_id join payment_accounts a on a.id = s.account_id
      where a.is_active and h.secret_hash = ${secretHash}`,
    'prepared',
  );
  return row;
}

/** Why a message of another SIM than the account's is ignored. */
export const otherSim = 'Autre SIM.';

/** The SIM that receives the account's payments, and whether a person chose it. */
export async function findSim(db: Db, sourceId: number): Promise<Pick<SourceRow, 'sim' | 'isSimChosen'> | undefined> {
  const { id, sim, isSimChosen } = paymentSources;
  const [row] = await db.select({ sim, isSimChosen }).from(paymentSources).where(eq(id, sourceId));
  return row;
}

export async function setSim(db: Db, sourceId: number, sim: string): Promise<void> {
  await db.update(paymentSources).set({ sim, isSimChosen: true }).where(eq(paymentSources.id, sourceId));
}

/** Messages of a source with a known SIM and an existing text, the oldest first. */
export async function listMessagesOfSims(db: Db, sourceId: number): Promise<MessageRow[]> {
  const { id, sourceId: source, sim, sealedText } = paymentMessages;
  return db
    .select()
    .from(paymentMessages)
    .where(and(eq(source, sourceId), isNotNull(sim), isNotNull(sealedText)))
    .orderBy(asc(id));
}

/** Marks messages as ignored because of their SIM. */
export async function ignoreForSim(db: Db, ids: number[]): Promise<void> {
  await db.update(paymentMessages).set({ state: 'ignored', why: otherSim }).where(inArray(paymentMessages.id, ids));
}

/** The parser's name for a message that a person has read. */
export const readByPerson = 'personne';

/** A call of a source. */
export interface Heard {
  sim?: string | null;
  trouble?: SourceTrouble;
  /** How far its clock is behind, if that is the fault. */
  minutes?: number;
  /** Whether the call brought a message. A mere sign of life does not end a fault of messages. */
  isMessage?: boolean;
  isRefused?: boolean;
}

/** Records a source's call, with its fault or the end of an earlier one. */
export async function noteHeard(db: Db, sourceId: number, heard: Heard): Promise<void> {
  const { trouble = null, minutes = null, sim = null, isMessage = false, isRefused = false } = heard;
  const isKept = sql`${trouble}::text is null and not ${isMessage} and trouble in ('text', 'sender')`;
  await db.execute(sql`
    update payment_sources set last_seen_at = case when ${isRefused} then last_seen_at else now() end,
      trouble = case when ${isKept} then trouble else ${trouble}::text end,
      trouble_at = case when ${isKept} then trouble_at when ${trouble}::text is not null then now() end,
      clock_minutes = ${minutes}::int, sim = coalesce(sim, ${sim}::text)
    where id = ${sourceId}`);
}

/** Stores a message once, as unread; answers it if it is new. */
export async function keepMessage(
  db: Db,
  message: Pick<MessageRow, 'accountId' | 'sourceId' | 'contentHash' | 'sender' | 'sentAt' | 'sealedText'> &
    Partial<Pick<MessageRow, 'sim'>>,
): Promise<MessageRow | undefined> {
  const { accountId, contentHash, state } = paymentMessages;
  const [kept] = await db
    .insert(paymentMessages)
    .values({ ...message, state: 'unread' })
    // A refused message that a person pastes is read again.
    .onConflictDoUpdate({
      target: [accountId, contentHash],
      set: { sourceId: null },
      setWhere: sql`excluded.source_id is null and ${state} = 'refused'`,
    })
    .returning();
  return kept;
}

export async function setMessageRead(
  db: Db,
  id: number,
  read: Pick<MessageRow, 'state'> & Partial<Pick<MessageRow, 'why' | 'parser'>>,
): Promise<MessageRow['state']> {
  await db.update(paymentMessages).set(read).where(eq(paymentMessages.id, id));
  return read.state;
}

/** Locks an unread message. Throws MESSAGE_NOT_FOUND and MESSAGE_READ. */
export async function lockUnread(db: Db, id: number): Promise<MessageRow> {
  const [row] = await db.select().from(paymentMessages).where(eq(paymentMessages.id, id)).for('update');
  if (!row) throw new Failure('MESSAGE_NOT_FOUND');
  if (row.state !== 'unread' && row.state !== 'refused') throw new Failure('MESSAGE_READ');
  return row;
}

/** Unread messages, newest first. */
export async function listUnread(db: Db): Promise<MessageRow[]> {
  return db
    .select()
    .from(paymentMessages)
    .where(inArray(paymentMessages.state, ['unread', 'refused']))
    .orderBy(desc(paymentMessages.id))
    .limit(paymentFeedLimits.unreadShown);
}

/** Deletes the texts of old messages, `limit` at most; answers how many. */
export async function purgeMessageTexts(db: Db, limit: number): Promise<number> {
  const { id, sealedText, receivedAt } = paymentMessages;
  const old = db
    .select({ id })
    .from(paymentMessages)
    .where(
      and(isNotNull(sealedText), lt(receivedAt, sql`now() - make_interval(days => ${paymentFeedLimits.textDays})`)),
    )
    .limit(limit);
  const { rowCount } = await db.update(paymentMessages).set({ sealedText: null, sender: null }).where(inArray(id, old));
  return rowCount ?? 0;
}

export async function insertImport(db: Db, fields: typeof paymentImports.$inferInsert): Promise<number> {
  const [row] = await db.insert(paymentImports).values(fields).returning({ id: paymentImports.id });
  return (row as { id: number }).id;
}

export async function updateImport(
  db: Db,
  id: number,
  fields: Partial<typeof paymentImports.$inferInsert>,
): Promise<void> {
  await db.update(paymentImports).set(fields).where(eq(paymentImports.id, id));
}

export async function deleteImport(db: Db, id: number): Promise<void> {
  await db.delete(paymentImports).where(eq(paymentImports.id, id));
}

/** The imports of an account that were not undone, newest first, each with its person's name. */
export async function listImports(db: Db, account: number): Promise<(ImportRow & { by: string | null })[]> {
  const { accountId, importedBy, id } = paymentImports;
  const by = sql<string | null>`nullif(btrim(${users.firstName} || ' ' || ${users.lastName}), '')`;
  return db
    .select({ ...getTableColumns(paymentImports), by })
    .from(paymentImports)
    .leftJoin(users, eq(users.id, importedBy))
    .where(eq(accountId, account))
    .orderBy(desc(id))
    .limit(paymentFeedLimits.importsShown);
}

/** Locks an import's account, as `lockAccount`, and answers the import. Throws PAYMENT_NOT_FOUND. */
export async function lockImport(db: Db, id: number): Promise<ImportRow> {
  const find = async () => (await db.select().from(paymentImports).where(eq(paymentImports.id, id)))[0];
  const found = await find();
  if (found) await lockAccount(db, found.accountId);
  // The import may have been undone before the lock.
  const held = found && (await find());
  if (!held) throw new Failure('PAYMENT_NOT_FOUND', { message: 'Cet import est introuvable, ou déjà annulé.' });
  return held;
}

/** The last later import that has some lines of this one. */
export async function findImportOver(db: Db, id: number): Promise<ImportRow | undefined> {
  const { over } = paymentImports;
  const [row] = await db
    .select()
    .from(paymentImports)
    .where(sql`${id} = any(${over})`)
    .orderBy(desc(paymentImports.id))
    .limit(1);
  return row;
}

/** Locks the lines of an import, and answers the tickets paired with them since. */
export async function lockPairedSince(db: Db, { id, createdAt }: ImportRow): Promise<number[]> {
  await db.execute(sql`select from payment_lines where import_id = ${id} for update`);
  const paired = await rows<{ ticketId: number }>(
    db,
    sql`select m.ticket_id as "ticketId" from payment_lines l join payment_matches m on m.line_id = l.id
        where l.import_id = ${id} and l.is_matched and m.undone_at is null and m.decided_at >= ${createdAt}::timestamptz order by 1`,
  );
  return paired.map(({ ticketId }) => ticketId);
}

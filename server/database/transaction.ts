import type pg from 'pg';
import type { PreparedClient } from './clients.ts';
import type { Query } from './statement.ts';

/** What a transaction ends with: its last statements, which go out together with COMMIT, and its result of their rows. */
export class FinalStatements<Result> {
  readonly calls: readonly Query<unknown>[];
  readonly resultOf: (rows: readonly unknown[][]) => Result;

  constructor(calls: readonly Query<unknown>[], resultOf: (rows: readonly unknown[][]) => Result) {
    this.calls = calls;
    this.resultOf = resultOf;
  }

  /** What a work answered, as the ending that it is or as one that has nothing more to do. */
  static of<Result>(done: Result | FinalStatements<Result>): FinalStatements<Result> {
    return done instanceof FinalStatements ? done : new FinalStatements([], () => done);
  }

  /** The same, and after its statements another one. */
  and(call: Query<unknown>): FinalStatements<Result> {
    return new FinalStatements([...this.calls, call], this.resultOf);
  }
}

/**
 * Sends calls in one write, each to be answered before the next one is done, and waits for all of them: none is under way
 * when this ends. Throws the first failure; in a transaction the later ones follow from it.
 */
export async function sendTogether(
  client: PreparedClient,
  calls: readonly (Query<unknown> | string)[],
): Promise<pg.QueryResult[]> {
  const asked = client.inOneWrite(() => calls.map((call) => client.query(call) as Promise<pg.QueryResult>));
  const answers: pg.QueryResult[] = [];
  let failure: { reason: unknown } | undefined;
  for (const answer of await Promise.allSettled(asked))
    if (answer.status === 'fulfilled') answers.push(answer.value);
    else failure ??= answer;
  if (failure) throw failure.reason;
  return answers;
}

/** A transaction on a connection, which begins with its first statement. */
export class Transaction {
  readonly #client: PreparedClient;
  #begun: Promise<unknown> | undefined;

  constructor(client: PreparedClient) {
    this.#client = client;
  }

  /** For drizzle: one statement, whose failure leaves the transaction good for nothing but its end. */
  async query(...given: unknown[]): Promise<unknown> {
    await this.#begin();
    return this.#client.query(...given);
  }

  /** Calls in one write, with BEGIN only before reads: were BEGIN to fail, a write behind it would be done for good. */
  async ask(calls: readonly Query<unknown>[]): Promise<unknown[][]> {
    if (this.#begun || calls.some(({ writes }) => writes)) {
      await this.#begin();
      return (await sendTogether(this.#client, calls)).map(({ rows }) => rows);
    }
    const answers = sendTogether(this.#client, ['begin', ...calls]);
    this.#begun = answers;
    return (await answers).slice(1).map(({ rows }) => rows);
  }

  /** The last calls and COMMIT in one write. Throws when nothing was committed. */
  async commit(calls: readonly Query<unknown>[]): Promise<unknown[][]> {
    if (!this.#begun && calls.length === 0) return [];
    await this.#begin();
    const answers = await sendTogether(this.#client, [...calls, 'commit']);
    // PostgreSQL ends a transaction in which something failed with ROLLBACK, whatever it was asked for.
    if (answers.at(-1)?.command !== 'COMMIT')
      throw new Error('a transaction with a failed statement was not committed');
    return answers.slice(0, -1).map(({ rows }) => rows);
  }

  /** Undoes what was done, as far as the connection is there: PostgreSQL undoes what loses its connection. */
  async rollBack(): Promise<void> {
    // Only its answer tells whether there is a transaction.
    await this.#begun?.catch(() => {});
    if (this.#client.getTransactionStatus() === 'I') return;
    await this.#client.query('rollback');
  }

  #begin(): Promise<unknown> {
    this.#begun ??= this.#client.query('begin') as Promise<unknown>;
    return this.#begun;
  }
}

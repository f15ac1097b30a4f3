import pg from 'pg';

/**
 * A connection on which no statement has a name. A pooler may give each transaction another server, which knows nothing of
 * what was prepared on the last one; libraries of ours name their statements to have them prepared.
 */
export class UnnamedClient extends pg.Client {
  override query(...given: unknown[]): never {
    const [query, ...rest] = given;
    const named = typeof query === 'object' && query !== null && 'text' in query && !('submit' in query);
    const ask = super.query as (...args: unknown[]) => never;
    return ask.call(this, named ? { ...query, name: undefined } : query, ...rest);
  }
}

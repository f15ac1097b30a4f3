import { PrimaryOnlyClient } from './primary-only-client.ts';

/**
 * A connection that knows whether the server keeps what was prepared on it: then the names that libraries and our own
 * statements give stay on them, else they are taken off. A pooler may give each transaction another server, which knows
 * nothing of what was prepared on the last one.
 */
export class PreparedClient extends PrimaryOnlyClient {
  #keepsNames = false;

  /**
   * Learns which process of PostgreSQL answers. A pooler invents the BackendKeyData of a connection, since no single
   * process is behind it. So the two are the same only without a pooler.
   */
  noteServer(pid: number | undefined): void {
    this.#keepsNames = pid !== undefined && 'processID' in this && this.processID === pid;
  }

  /** Whether one process of PostgreSQL answers all along, so that it knows of what was set, named or listened to before. */
  get isDirect(): boolean {
    return this.#keepsNames;
  }

  override query(...given: unknown[]): never {
    const [query, ...rest] = given;
    const named = typeof query === 'object' && query !== null && 'text' in query && !('submit' in query);
    const ask = super.query as (...args: unknown[]) => never;
    return ask.call(this, named && !this.#keepsNames ? { ...query, name: undefined } : query, ...rest);
  }

  /** Sends what `ask` asks for in one write, and waits for none of it. */
  inOneWrite<Asked>(ask: () => Asked): Asked {
    const { stream } = this.connection;
    stream.cork();
    try {
      return ask();
    } finally {
      stream.uncork();
    }
  }
}

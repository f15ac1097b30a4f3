import pg from 'pg';
import { addressesOf } from '#server/process/database-url.ts';
import { findWritable } from './writable-host.ts';

/** A connection to the one of several servers that takes writes when it is opened. node-postgres itself knows one server. */
export class PrimaryOnlyClient extends pg.Client {
  readonly #addresses: readonly string[];

  constructor(config: pg.ClientConfig = {}) {
    const addresses = config.connectionString === undefined ? [] : addressesOf(config.connectionString);
    super(addresses.length > 1 ? { ...config, connectionString: addresses[0] } : config);
    this.#addresses = addresses;
  }

  /** With a callback, or answering a promise, as the driver's own. */
  override connect(given?: (...outcome: never[]) => void): never {
    const callback = given as ((error: Error | null) => void) | undefined;
    const connect = super.connect as unknown as (callback?: (error: Error | null) => void) => Promise<unknown>;
    if (this.#addresses.length < 2) return connect.call(this, callback) as never;
    const connected = this.#turn().then(() => connect.call(this));
    if (callback === undefined) return connected as never;
    connected.then(
      () => callback(null),
      (error: Error) => callback(error),
    );
    return undefined as never;
  }

  async #turn(): Promise<void> {
    const { host, port } = new pg.Client({ connectionString: await findWritable(this.#addresses) });
    Object.assign(this, { host, port });
  }
}

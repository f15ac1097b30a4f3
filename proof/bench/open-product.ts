import path from 'node:path';
import pg from 'pg';
import { type Product, startProduct } from '../../e2e/product.ts';
import { findHome } from '../../server/database/embedded/data-folder.ts';
import { openEmbeddedDatabase } from '../../server/database/embedded/embedded-database.ts';
import { findPostmaster } from '../../server/database/embedded/postmaster.ts';
import { administrator } from './administrator.ts';
import { childrenOf, cpuSeconds } from './children.ts';
import type { Stage } from './stage.ts';

export interface OpenProduct extends Product {
  port: number;
  /** How the product's own role connects to its database. */
  database: pg.ClientConfig;
  /** PostgreSQL's processes: the postmaster, and its children. */
  postgresProcesses(): [postmaster: number, ...children: number[]];
  /** Seconds of processor time of all of PostgreSQL's processes so far. */
  postgresSeconds(): number;
}

/** The product as `npm start` runs it, without the limits on floods, on a data folder that stays. It ends with the bench. */
export async function openProduct(
  { ends }: Stage,
  folder: string,
  settings: Record<string, string> = {},
): Promise<OpenProduct> {
  const product = await startProduct(folder, { RATE_LIMITS: 'off', ...administrator, ...settings }, { keep: true });
  ends.add(() => product.stop());
  const { config } = await openEmbeddedDatabase(folder);
  const postgresProcesses: OpenProduct['postgresProcesses'] = () => {
    const postmaster = findPostmaster({ dataFolder: path.join(findHome(folder), 'postgres') });
    if (!postmaster) throw new Error('PostgreSQL is gone');
    return [postmaster.pid, ...childrenOf(postmaster.pid)];
  };
  return {
    ...product,
    port: Number(new URL(product.url).port),
    database: config,
    postgresProcesses,
    postgresSeconds() {
      const [postmaster, ...children] = postgresProcesses();
      const own = cpuSeconds(postmaster, { withEnded: true });
      return children.reduce((sum, pid) => sum + safely(() => cpuSeconds(pid)), own);
    },
  };
}

/** A process may end between being listed and being looked at. */
function safely(read: () => number): number {
  try {
    return read();
  } catch {
    return 0;
  }
}

/** A pool of the bench's own on that database, which ends with the bench. */
export function openPool({ ends }: Stage, config: pg.ClientConfig): pg.Pool {
  const pool = new pg.Pool({ ...config, max: 2 });
  pool.on('error', (error) => console.error(error.message));
  ends.add(() => pool.end());
  return pool;
}

/** The same for a process that reads libpq's environment. */
export function environmentOf({ host, port, user, password, database }: pg.ClientConfig): Record<string, string> {
  return {
    PGHOST: String(host),
    PGPORT: String(port),
    PGUSER: String(user),
    PGPASSWORD: String(password),
    PGDATABASE: String(database),
  };
}

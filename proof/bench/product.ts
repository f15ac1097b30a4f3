import { rmSync } from 'node:fs';
import pg from 'pg';
import { makeDataFolder, type Product, startProduct } from '../../e2e/product.ts';
import { makeUpData, type Volume } from '../../server/cli/made-up-data.ts';
import { connect } from '../../server/database/connect.ts';
import { findHome } from '../../server/database/embedded/data-folder.ts';
import { openEmbeddedDatabase, startEmbeddedDatabase } from '../../server/database/embedded/embedded-database.ts';
import { migrate } from '../../server/database/migrate.ts';
import { tallyLimits } from '../../server/features/tickets/limits.ts';
import { foldTallies } from '../../server/features/tickets/tallies-store.ts';
import { writeStarterData } from '../../server/starter/write-starter-data.ts';
import type { Ends } from './children.ts';

/** The first administrator of a data folder that is used again: the password is known. */
export const administrator = { ADMIN_PHONE: '+22670000000', ADMIN_PASSWORD: 'mot-de-passe-du-banc' };

/** A data folder that goes when the bench ends. */
export function makeFolder(ends: Ends): string {
  const folder = makeDataFolder();
  ends.defer(() => {
    for (const each of [findHome(folder), folder]) rmSync(each, { recursive: true, force: true });
  });
  return folder;
}

/** Fills the database of a data folder with generated users and tickets, and with what `more` adds. */
export async function fill(
  ends: Ends,
  dataDir: string,
  volume: Volume,
  more: (pool: pg.Pool) => Promise<unknown> = async () => {},
): Promise<void> {
  const own = ends.use(new AsyncDisposableStack());
  const embedded = await startEmbeddedDatabase(dataDir);
  own.defer(() => embedded.stop());
  await migrate(embedded.config);
  const { db, pool, close } = connect(embedded.config, (error) => console.error(error.message));
  own.defer(() => close());
  await writeStarterData(db);
  await makeUpData(pool, volume);
  // What the product's job does within a minute: a bench that asks sooner measures a moment that no operator sees.
  while ((await foldTallies(db, tallyLimits.changesPerFold)) > 0);
  await pool.query('vacuum (analyze) tally_changes, tallies');
  await more(pool);
  await own.disposeAsync();
}

/**
 * The product as `npm start` runs it, without rate limits, on a data folder that stays; how its role connects to its database, and two
 * connections of the bench's own to it. All of it ends with the bench.
 */
export async function openProduct(ends: Ends, folder: string, settings: Record<string, string> = {}) {
  const product = await startProduct(folder, { RATE_LIMITS: 'off', ...administrator, ...settings }, { keep: true });
  ends.defer(() => product.stop());
  const { config } = await openEmbeddedDatabase(folder);
  const pool = new pg.Pool({ ...config, max: 2, options: '-c statement_timeout=0' });
  pool.on('error', (error) => console.error(error.message));
  ends.defer(() => pool.end());
  return { ...product, port: Number(new URL(product.url).port), database: config, pool };
}
export type OpenProduct = Awaited<ReturnType<typeof openProduct>>;

/**
 * Calls as the administrator, whose cookie is answered too. A call answers the milliseconds to its last byte, and throws on what is
 * not a success.
 */
export async function callAsAdministrator({ url }: Pick<Product, 'url'>) {
  const send = (cookie: string) => async (method: 'GET' | 'POST', path: string, body?: object) => {
    const isForm = body instanceof FormData;
    const start = performance.now();
    const answer = await fetch(url + path, {
      method,
      headers: { cookie, ...(body && !isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await answer.text();
    const ms = performance.now() - start;
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return { ms, headers: answer.headers, json: <Body>() => JSON.parse(text) as Body };
  };
  const credentials = { phoneOrEmail: administrator.ADMIN_PHONE, password: administrator.ADMIN_PASSWORD };
  const { headers } = await send('')('POST', '/api/auth/signin', credentials);
  const cookie = headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  return { cookie, call: send(cookie) };
}

export type Call = Awaited<ReturnType<typeof callAsAdministrator>>['call'];

import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { localImageStore } from '#server/features/uploads/image-store.ts';
import { createDatabase } from './test-api.ts';

/** How many tables and indexes there are. */
export const relations = "select count(*)::int as count from pg_class where relnamespace = 'public'::regnamespace";

/** An empty database, and an empty folder for its images; `ends` takes what makes the folder go. */
export async function makeEmptyPlace(ends: (() => unknown)[]) {
  const made = await createDatabase();
  const imagesFolder = mkdtempSync(path.join(os.tmpdir(), 'guichet-place-'));
  ends.push(() => rmSync(imagesFolder, { recursive: true, force: true }));
  return { ...made, imagesFolder, images: localImageStore(imagesFolder) };
}

/** The rows that a database answers on a connection of its own. */
export async function askOn<Row extends pg.QueryResultRow>(config: pg.ClientConfig, query: string): Promise<Row[]> {
  const client = new pg.Client(config);
  await client.connect();
  return (await client.query<Row>(query).finally(() => client.end())).rows;
}

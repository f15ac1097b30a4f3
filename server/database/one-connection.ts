import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Db } from './connect.ts';

/** A store's database, on a connection that is in another module's transaction. */
export const onConnection = (client: pg.Client): Pick<Db, 'execute'> => drizzle(client, { casing: 'snake_case' });

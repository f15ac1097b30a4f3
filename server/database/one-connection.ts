import { drizzle } from 'drizzle-orm/node-postgres';
import type pg from 'pg';
import type { Db } from './connect.ts';

/** What a store's reads need, on a connection that somebody else has in a transaction. */
export const onConnection = (client: pg.Client): Pick<Db, 'execute'> => drizzle(client, { casing: 'snake_case' });

import type pg from 'pg';
import { expect } from 'vitest';
import { eventually } from './eventually.ts';

/** The server process of a connection, which the driver's types leave out. */
export const pidOf = (client: pg.ClientBase) => (client as pg.ClientBase & { processID: number }).processID;

/**
 * Waits until a process of the database waits for a lock of the holder's, whoever else waits for another. `looker` is
 * outside of its transaction, within which the figures would stay as they were first seen.
 */
export const untilBlocked = (looker: pg.Pool | pg.ClientBase, holder: pg.ClientBase | number) =>
  eventually(async () => {
    const pid = typeof holder === 'number' ? holder : pidOf(holder);
    const { rowCount } = await looker.query('select from pg_stat_activity where $1 = any(pg_blocking_pids(pid))', [
      pid,
    ]);
    expect(rowCount).toBeGreaterThan(0);
  });

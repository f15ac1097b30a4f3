import type pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { connect } from '#server/database/connect.ts';
import { eventually } from '#server/testing/eventually.ts';
import { templateDatabase } from '#server/testing/global-setup.ts';
import { createDatabase } from '#server/testing/test-api.ts';
import { startRunner } from './runner.ts';

/** Has the first LISTEN of the pool fail when it is told to. */
function holdListen(pool: pg.Pool) {
  const { promise, reject } = Promise.withResolvers<never>();
  const sent: string[] = [];
  pool.on('acquire', (client: pg.PoolClient) => {
    if (Object.hasOwn(client, 'query')) return;
    const { query } = client;
    const watched = (...asked: unknown[]) => {
      const [text] = asked;
      if (typeof text === 'string') sent.push(text);
      return typeof text === 'string' && text.startsWith('LISTEN') ? promise : Reflect.apply(query, client, asked);
    };
    Object.assign(client, { query: watched });
  });
  return { sent, breakIt: () => reject(new Error('Connection terminated unexpectedly')) };
}

test('a connection that breaks while its runner stops listening is released once, and that is told', async () => {
  const database = await createDatabase(`template ${templateDatabase}`);
  const { pool, close } = connect(database.config, () => {});
  onTestFinished(close);
  const { sent, breakIt } = holdListen(pool);
  const warnings: string[] = [];
  const runner = await startRunner({
    pool,
    tasks: {},
    crontab: [],
    runnerIds: new Set(),
    outlast: (work) => work(),
    log: { error: () => {}, warn: (_, message) => void warnings.push(message) },
  });
  await eventually(() => expect(sent).toContainEqual(expect.stringMatching(/^LISTEN/)));
  await runner.stop();
  expect(sent).toContainEqual(expect.stringMatching(/^UNLISTEN/));
  expect(warnings).toEqual([]);
  breakIt();
  await eventually(() => expect(warnings).toEqual([expect.stringContaining('twice')]));
});

import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { type Relay, startRelay } from '#server/testing/relay.ts';
import {
  callAsAdministrator,
  cleanUp,
  createDataFolder,
  otherLimits,
  startServer,
} from '#server/testing/server-process.ts';
import { createDatabase } from '#server/testing/test-api.ts';

let made: Awaited<ReturnType<typeof createDatabase>>;
let relay: Relay;
beforeAll(async () => {
  made = await createDatabase();
  relay = await startRelay(inject('server'));
});
afterAll(async () => {
  await cleanUp();
  relay.close();
});

test('a server that falls silent keeps no caller of the process waiting: they are told to come back', async () => {
  // In this process nothing else than the limit for an answer ends what waits for one.
  const limits = {
    'limits.ts': { databaseLimits: { answerMs: 3_000 }, httpLimits: { handlerMs: 1e6 } },
  };
  const { user, password, database } = made.config;
  const settings = {
    DATABASE_URL: `postgres://${user}:${password}@127.0.0.1:${relay.port}/${database}`,
    ...otherLimits(limits),
  };
  const admin = await callAsAdministrator(await startServer(createDataFolder(), settings));
  const make = (name: string) => admin.send<{ code?: string }>('POST', '/api/admin/payment-types', { name });
  relay.cut();
  expect(await make('Avant')).toMatchObject({ status: 503, body: { code: 'BUSY' } });
  relay.mend();
  let tries = 0;
  await eventually(async () => {
    tries += 1;
    expect((await make(`Après ${tries}`)).status).toBe(201);
  });
});

import { afterAll, expect, test, vi } from 'vitest';
import { liveDay } from '#server/testing/payment-day-run.ts';
import { cleanUp, createDataFolder, startServer } from '#server/testing/server-process.ts';

/** A process starts here, is killed and starts again, on machines that may be busy. */
vi.setConfig({ testTimeout: 120_000 });
afterAll(cleanUp);

test('a day with every fault: nothing wrong is ticked, what is right is, and it ends the same however it is told', async () => {
  const folder = createDataFolder();
  const administrator = { phoneOrEmail: '+22670000000', password: 'mot-de-passe-du-jour' };
  const settings = {
    RATE_LIMITS: 'off',
    ADMIN_PHONE: administrator.phoneOrEmail,
    ADMIN_PASSWORD: administrator.password,
  };
  const start = async () => {
    const server = await startServer(folder, settings);
    return { url: `http://127.0.0.1:${server.port}`, end: server.end };
  };
  const found = await liveDay({ folder, administrator, start }, 20261124, 40, 2);
  expect(found.wrong).toEqual([]);
  expect(found.ticked).toBeGreaterThanOrEqual(0.9);
  expect(found.differences).toEqual({ twice: [], killed: [] });
});

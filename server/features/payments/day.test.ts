import { afterAll, expect, test, vi } from 'vitest';
import { DayPlace } from '#server/testing/payment-day-place.ts';
import { liveAgain, liveThrough } from '#server/testing/payment-day-run.ts';
import { cleanUp, createDataFolder, startServer } from '#server/testing/server-process.ts';

/** A process starts here, is killed and starts again, on machines that may be busy. */
vi.setConfig({ testTimeout: 120_000 });
afterAll(cleanUp);

const seed = 20261124;
const tickets = 20;

test('a day with every fault: nothing wrong is ticked, what suffices is, and it ends the same however it is told', async () => {
  const folder = createDataFolder();
  const administrator = { phoneOrEmail: '+22670000000', password: 'mot-de-passe-du-jour' };
  const settings = {
    RATE_LIMITS: 'off',
    ADMIN_PHONE: administrator.phoneOrEmail,
    ADMIN_PASSWORD: administrator.password,
  };
  const place = new DayPlace({
    folder,
    administrator,
    async start() {
      const server = await startServer(folder, settings);
      return { url: `http://127.0.0.1:${server.port}`, end: (signal) => server.end(signal) };
    },
  });
  const found = await liveThrough(place, seed, tickets, 1);
  expect(found.wrong).toEqual([]);
  expect(found.ticked / found.sufficient).toBeGreaterThanOrEqual(0.9);

  const [twice, killed] = [
    await liveAgain(place, seed, tickets, 'twice'),
    await liveAgain(place, seed, tickets, 'killed'),
  ];
  expect([...twice.wrong, ...killed.wrong]).toEqual([]);
  expect(killed.end.length).toBeGreaterThan(0.8 * tickets);
  expect(killed.end).toEqual(twice.end);
  await place.end('SIGTERM');
});

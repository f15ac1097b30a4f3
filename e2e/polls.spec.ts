import { countRequests, untilAnswered } from './answers.ts';
import { installClock, runUntilAnswer, setHidden, stopClock, untilAnswer } from './clock.ts';
import { expect, test } from './fixtures.ts';
import { enterAs } from './steps.ts';

const ticketsPath = /^\/api\/tickets\/user\/\d+$/;
const backgroundPath = /^\/api\/admin\/background-settings$/;

test('nothing is asked in a hidden tab, and the tickets at once, once, when it is seen again', async ({
  page,
  product,
}) => {
  await installClock(page);
  await enterAs(page, product, { firstName: 'Cachée', lastName: 'Sondage', phone: '77020100' });
  await page.getByRole('link', { name: 'Tickets' }).click();
  await untilAnswered(page);
  await page.clock.runFor(1_000);
  await untilAnswered(page);
  await stopClock(page);
  const asked = countRequests(page, 'GET', ticketsPath);
  const background = countRequests(page, 'GET', backgroundPath);
  const services = countRequests(page, 'GET', /^\/api\/services/);
  const anything = countRequests(page, 'GET', /^\/api\//);
  await setHidden(page, true);
  await page.clock.runFor(900_000);
  await untilAnswered(page);
  expect(anything.count(), 'while it is hidden').toBe(0);

  await untilAnswer(page, ticketsPath, () => setHidden(page, false));
  await expect.poll(background.count).toBe(1);
  expect(asked.count()).toBe(1);
  expect(services.count(), 'what is not polled').toBe(0);
  // From there on at its period again.
  await page.clock.runFor(5_000 - 20);
  await untilAnswered(page);
  expect(asked.count()).toBe(1);
  await runUntilAnswer(page, ticketsPath, 40);
  expect(asked.count()).toBe(2);
  expect(background.count()).toBe(1);
});

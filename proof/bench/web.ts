import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { type BrowserContext, chromium, type Page } from '@playwright/test';
import { browserOptions } from '../../e2e/browser.ts';
import { sessionCookie } from '../../server/features/sessions/session-cookie.ts';
import { figure, type Rows } from './figures.ts';
import { fill, makeFolder } from './fill.ts';
import { freePort } from './free-port.ts';
import type { Answer } from './load/answer-reader.ts';
import { Line } from './load/line.ts';
import { openProduct } from './open-product.ts';
import { type CountingProxy, startCountingProxy } from './peers/counting-proxy.ts';
import { addPeople, cookieOf } from './people.ts';
import type { Stage } from './stage.ts';

const site = path.resolve(import.meta.dirname, '../../dist/web');
const ticketsPoll = /^\/api\/tickets\/user\//;

/**
 * What the product weighs on the line: the first screens' scripts, an idle poll in HTTP/1.1 and in HTTP/2, and an hour on the
 * tickets screen in Chromium over HTTP/2, in which nothing happens. Kilobytes are 1,000 bytes. `--minutes` makes it shorter.
 */
export async function measure(stage: Stage): Promise<Rows> {
  const { values } = parseArgs({ args: stage.args, options: { minutes: { type: 'string', default: '60' } } });
  const minutes = Number(values.minutes);
  const folder = makeFolder(stage);
  let person = 0;
  await fill(stage, folder, { users: 100, tickets: 2_000 }, async (pool) => {
    person = (await addPeople(pool, { count: 1, busy: 1 })).first;
  });
  const proxy = await startCountingProxy(stage);
  const port = await freePort();
  await openProduct(stage, folder, { RATE_LIMITS: 'on', PUBLIC_URL: proxy.url, PORT: String(port) });
  proxy.passTo(port);

  const { launchOptions, ...options } = browserOptions;
  // The certificate is nobody's; a service worker wants one that is somebody's all the same.
  const args = [...launchOptions.args, '--ignore-certificate-errors'];
  const browser = await chromium.launch({ ...launchOptions, args });
  stage.ends.add(() => browser.close());
  const makeContext = () => browser.newContext({ ...options, ignoreHTTPSErrors: true });

  const stranger = await makeContext();
  const firstScreen = await weighScripts(stranger, `${proxy.url}/`, '[role=tab]');
  await stranger.close();
  const own = await makeContext();
  await enter(own, proxy.url, person);
  const home = await weighScripts(own, `${proxy.url}/`, 'main li button');
  const hour = await idle(own, proxy, minutes);
  const poll = await askAgain(proxy, port);

  const anHour = ((hour.received + hour.sent) / 1_000) * (60 / minutes);
  return {
    'first screen, script (B, gzip)': figure(firstScreen.gzip, { atMost: 90_000 }, { brotli: firstScreen.brotli }),
    'home, script (B, brotli)': figure(home.brotli, { atMost: 110_000 }, { gzip: home.gzip }),
    'idle poll, HTTP/1.1, answer (B)': figure(poll.answer.bytes, { atMost: 300 }, { status: poll.answer.status }),
    'idle poll, HTTP/1.1, request (B)': figure(poll.requestBytes),
    'a request of the hour, HTTP/2, answer (B)': figure(hour.sent / hour.requests),
    'a request of the hour, HTTP/2, request (B)': figure(hour.received / hour.requests),
    'idle hour on the tickets screen, both ways (KB)': figure(
      anHour,
      { below: 400 },
      { minutes, requests: hour.requests, answers: JSON.stringify(hour.byStatus) },
    ),
  };
}

/** The browser of somebody who signed in before. */
async function enter(context: BrowserContext, url: string, person: number): Promise<void> {
  const cookie = { name: `__Host-${sessionCookie}`, value: cookieOf(person), url, secure: true, httpOnly: true };
  await context.addCookies([{ ...cookie, sameSite: 'Lax' }]);
  const page = await context.newPage();
  // A page of the same origin that runs nothing of the app.
  const answer = await page.goto(`${url}/api/auth/me`);
  if (!answer?.ok()) throw new Error(`nobody is signed in: ${answer?.status()} ${await answer?.text()}`);
  const { user } = (await answer.json()) as { user: object };
  await page.evaluate((stored) => localStorage.setItem('guichet_user', stored), JSON.stringify(user));
  await page.close();
}

/** The scripts that a screen loads for whoever saves data, as the build compressed them. */
async function weighScripts(context: BrowserContext, url: string, sign: string) {
  const page = await context.newPage();
  const loaded = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) loaded.add(pathname);
  });
  const devtools = await context.newCDPSession(page);
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
  await page.goto(url);
  await page.locator(sign).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.close();
  const size = (ending: string) =>
    [...loaded].reduce((sum, file) => sum + statSync(path.join(site, `${file}.${ending}`)).size, 0);
  return { gzip: size('gz'), brotli: size('br') };
}

/**
 * Looks at the tickets for so long by the page's clock, second by second; each second's requests are answered before the next
 * one comes. Answers what went over the line after the screen had loaded.
 */
async function idle(context: BrowserContext, proxy: CountingProxy, minutes: number) {
  const page = await context.newPage();
  await page.clock.install();
  await page.goto(`${proxy.url}/tickets`);
  await page.locator('main li').first().waitFor();
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.waitForLoadState('networkidle');
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  const settled = followRequests(page);
  const before = proxy.traffic();
  for (let second = 0; second < 60 * minutes; second += 1) await runSecond(page, settled);
  const after = proxy.traffic();
  const byStatus = Object.fromEntries(
    Object.entries(after.byStatus)
      .map(([status, times]) => [status, times - (before.byStatus[status] ?? 0)] as const)
      .filter(([, times]) => times > 0),
  );
  return {
    received: after.received - before.received,
    sent: after.sent - before.sent,
    requests: after.requests - before.requests,
    byStatus,
  };
}

async function runSecond(page: Page, settled: () => Promise<void>): Promise<void> {
  await page.clock.runFor(1_000);
  await settled();
}

/** Answers what waits until all requests of a page are answered. */
function followRequests(page: Page): () => Promise<void> {
  const under = new Set<object>();
  let tell = () => {};
  page.on('request', (request) => under.add(request));
  for (const event of ['requestfinished', 'requestfailed'] as const)
    page.on(event as 'requestfinished', (request) => {
      under.delete(request);
      if (under.size === 0) tell();
    });
  return async () => {
    if (under.size === 0) return;
    await new Promise<void>((resolve) => {
      tell = resolve;
    });
  };
}

/** The browser's last poll of the tickets once more, in HTTP/1.1 and straight to the product. */
async function askAgain(proxy: CountingProxy, port: number): Promise<{ requestBytes: number; answer: Answer }> {
  const asked = proxy.headersOf(ticketsPoll);
  if (!asked) throw new Error('nobody polled the tickets');
  const lines = Object.entries({ ...asked.headers, connection: 'keep-alive' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const request = [`GET ${asked.path} HTTP/1.1`, ...lines, '', ''].join('\r\n');
  const answer = await new Promise<Answer>((resolve, reject) => {
    const line = new Line(port, (_, came) => {
      line.close();
      if (came instanceof Error) reject(came);
      else resolve(came);
    });
    line.send(request);
  });
  return { requestBytes: Buffer.byteLength(request, 'latin1'), answer };
}

import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { makeBrowser } from '#server/testing/push-service.ts';
import { expect, test } from './fixtures.ts';
import type { Person } from './people.ts';
import type { Product } from './product.ts';
import { enterAs, stored as kept } from './steps.ts';

test.use({ serviceWorkers: 'allow' });

const person = (firstName: string, phone: string): Person => ({ firstName, lastName: 'Zongo', phone });
const offered = 'Être prévenu sur cet appareil';
const isOn = 'Vous êtes prévenu sur cet appareil';

/**
 * Fakes two functions of the browser: the permission, which a headless browser never grants, and the subscription,
 * which needs its vendor's push service. Records whether the permission was requested.
 */
async function withoutPushService(page: Page): Promise<void> {
  await page.context().grantPermissions(['notifications']);
  await page.addInitScript(({ endpoint, keys }) => {
    const key = 'test_subscription';
    const subscription = (applicationServerKey: string) => ({
      endpoint,
      options: {
        applicationServerKey: Uint8Array.from(
          atob(applicationServerKey.replaceAll('-', '+').replaceAll('_', '/')),
          (character) => character.charCodeAt(0),
        ).buffer,
      },
      toJSON: () => ({ endpoint, keys }),
      unsubscribe: async () => {
        localStorage.removeItem(key);
        return true;
      },
    });
    const { prototype } = PushManager;
    prototype.getSubscription = async () => {
      const made = localStorage.getItem(key);
      return (made ? subscription(made) : null) as unknown as PushSubscription | null;
    };
    prototype.subscribe = async (options) => {
      const { userVisibleOnly, applicationServerKey } = options ?? {};
      if (!userVisibleOnly) throw new Error('a push that shows nothing');
      localStorage.setItem(key, String(applicationServerKey));
      return subscription(String(applicationServerKey)) as unknown as PushSubscription;
    };
    Object.defineProperty(Notification, 'permission', {
      get: () => (localStorage.getItem('test_asked') ? 'granted' : 'default'),
    });
    Notification.requestPermission = async () => {
      localStorage.setItem('test_asked', 'yes');
      return 'granted';
    };
  }, makeBrowser('https://fcm.googleapis.com').form);
}

/** The parts of the service worker's scope that the tests use. */
interface WorkerScope {
  registration: ServiceWorkerRegistration;
  ExtendableEvent: new (type: string) => Event;
  dispatchEvent: (event: Event) => boolean;
}

/** Runs a function in the service worker. */
async function inWorker<Result>(page: Page, act: (scope: WorkerScope) => Promise<Result>): Promise<Result> {
  const [worker] = page.context().serviceWorkers();
  if (!worker) throw new Error('there is no service worker');
  const text = `(${act})({ registration, ExtendableEvent, dispatchEvent: (event) => self.dispatchEvent(event) })`;
  return worker.evaluate(text) as Promise<Result>;
}

/** A headless browser shows no notifications: the worker records them. */
async function withNotifications(page: Page): Promise<void> {
  await inWorker(page, async ({ registration }) => {
    if (Notification.permission === 'granted') return;
    let all: Notification[] = [];
    Object.assign(registration, {
      getNotifications: async () => all,
      showNotification: async (title: string, options: NotificationOptions) => {
        const close = () => {
          all = all.filter((each) => each !== shown);
        };
        const shown = { ...options, title, close } as Notification;
        all = [...all.filter((each) => !options.tag || each.tag !== options.tag), shown];
      },
    });
  });
}

const answerTo = (page: Page, method: string) =>
  page.waitForResponse(
    (response) => response.url().endsWith('/api/push/subscriptions') && response.request().method() === method,
  );

test('a person asks to be told, and leaves nothing to who comes next', async ({ page, product, provoke }) => {
  provoke('401 /api/');
  await withoutPushService(page);
  await enterAs(page, product, person('Awa', '70930001'));
  await page.goto(`${product.url}/notifications`);
  await expect(page.getByRole('heading', { name: offered })).toBeVisible();
  expect(await kept(page, 'test_asked')).toBeNull();

  const saved = answerTo(page, 'POST');
  await page.getByRole('button', { name: 'Me prévenir' }).click();
  expect((await saved).status()).toBe(200);
  await expect(page.getByRole('heading', { name: isOn })).toBeVisible();
  expect(await kept(page, 'test_asked')).toBe('yes');
  const { publicKey } = await (await page.request.get(`${product.url}/api/push/key`)).json();
  expect(await kept(page, 'test_subscription')).toBe(publicKey);

  await page.getByRole('button', { name: 'Ne plus être prévenu' }).click();
  await expect(page.getByRole('heading', { name: offered })).toBeVisible();
  expect(await kept(page, 'test_subscription')).toBeNull();
  await page.getByRole('button', { name: 'Me prévenir' }).click();
  await expect(page.getByRole('heading', { name: isOn })).toBeVisible();
  const ended = answerTo(page, 'DELETE');
  await page.getByRole('link', { name: 'Paramètres' }).click();
  await page.getByRole('button', { name: 'Se déconnecter' }).click();
  expect((await ended).status()).toBe(200);
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  expect(await kept(page, 'test_subscription')).toBeNull();

  // Whose session has ended is told nothing in this browser any more either.
  await enterAs(page, product, person('Issa', '70930002'));
  await page.goto(`${product.url}/notifications`);
  await page.getByRole('button', { name: 'Me prévenir' }).click();
  await expect(page.getByRole('heading', { name: isOn })).toBeVisible();
  await page.context().clearCookies();
  await page.reload();
  await expect(page.getByRole('tab', { name: 'Connexion' })).toBeVisible();
  await expect.poll(() => kept(page, 'test_subscription')).toBeNull();
  expect(await kept(page, 'guichet_push')).toBeNull();
});

test('a push is shown in French, one to a request, and its tap goes there', async ({ page, product, provoke }) => {
  // Another person's notification is the same as none.
  provoke('404 /api/notifications/42');
  await withoutPushService(page);
  await enterAs(page, product, person('Moussa', '70930004'));
  await page.goto(`${product.url}/notifications`);
  await page.getByRole('button', { name: 'Me prévenir' }).click();
  await expect(page.getByRole('heading', { name: isOn })).toBeVisible();

  const devtools = await page.context().newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations: [first] }) => {
      if (first) resolve(first.registrationId);
    });
  });
  await devtools.send('ServiceWorker.enable');
  const registrationId = await registered;
  const deliver = (data: string) =>
    devtools.send('ServiceWorker.deliverPushMessage', { origin: product.url, registrationId, data });
  await withNotifications(page);
  const shown = () =>
    inWorker(page, async ({ registration }) => {
      const path = (url = '') => url.replace(location.origin, '');
      return (await registration.getNotifications()).map((each) => {
        const { title, body, tag, lang, icon, badge } = each as Notification & { badge: string };
        return { title, body, tag, lang, icon: path(icon), badge: path(badge) };
      });
    });
  const notification = (title: string, body: string) => ({
    title,
    body,
    tag: 'ticket-7',
    lang: 'fr',
    icon: '/icon-192.png',
    badge: '/badge-96.png',
  });
  const approved = { title: 'Demande approuvée', body: 'Votre demande n° 7 a été approuvée.' };
  const rejected = { title: 'Demande rejetée', body: 'Votre demande n° 7 a été rejetée.' };
  await deliver(JSON.stringify({ ...approved, notification: 41, ticket: 7 }));
  await expect.poll(shown).toEqual([notification(approved.title, approved.body)]);
  await deliver(JSON.stringify({ ...rejected, notification: 42, ticket: 7 }));
  await expect.poll(shown).toEqual([notification(rejected.title, rejected.body)]);

  // A headless browser cannot tap: the worker gets the browser's event, without its `waitUntil`.
  const tap = () =>
    inWorker(page, async ({ registration, ExtendableEvent, dispatchEvent }) => {
      const [notification] = await registration.getNotifications();
      const event = Object.assign(new ExtendableEvent('notificationclick'), { notification });
      dispatchEvent(Object.assign(event, { waitUntil: () => {} }));
    });
  const loads = await page.evaluate(() => performance.timeOrigin);
  await tap();
  await expect(page).toHaveURL(`${product.url}/notification/42`);
  expect(await page.evaluate(() => performance.timeOrigin), 'the page is the same').toBe(loads);
  await expect.poll(shown).toEqual([]);

  // Every push shows a notification, or the browser would show its own text.
  for (const data of ['', '{"title":7}']) {
    await deliver(data);
    await expect.poll(shown).toMatchObject([{ title: 'Guichet', body: 'Vous avez une nouvelle notification.' }]);
    await tap();
    await expect(page).toHaveURL(`${product.url}/notifications`);
    await expect.poll(shown).toEqual([]);
  }
});

/** A proxy in front of the product that adds to its page, as a CDN may; answers its address. */
async function startChangingProxy(product: Product): Promise<{ url: string; server: http.Server }> {
  const server = http.createServer(async (request, response) => {
    const { method = 'GET', url = '/', headers } = request;
    const body = method === 'GET' ? null : Buffer.concat(await request.toArray());
    const { 'accept-encoding': _, ...sent } = headers as Record<string, string>;
    const answer = await fetch(product.url + url, { method, headers: sent, body });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const told = Object.fromEntries(answer.headers);
    delete told['content-encoding'];
    delete told['content-length'];
    const isPage = told['content-type']?.startsWith('text/html');
    response.writeHead(answer.status, told).end(isPage ? `${bytes}<!-- cdn -->` : bytes);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return { url: `http://localhost:${(server.address() as AddressInfo).port}`, server };
}

test('where a proxy changes the page, it is said so instead of blaming the browser', async ({ page, product }) => {
  const { url, server } = await startChangingProxy(product);
  await withoutPushService(page);
  await enterAs(page, { ...product, url }, person('Alima', '70930008'));
  await page.goto(`${url}/notifications`);
  await page.getByRole('button', { name: 'Me prévenir' }).click();
  await expect(
    page.getByText(/^La page a été modifiée entre Guichet et vous, par le réseau ou l'hébergeur/),
  ).toBeVisible();
  // Its worker would ask a server that is gone.
  await page.close();
  server.close().closeAllConnections();
});

test('where the browser forbids it, the card says what to do', async ({ page, product }) => {
  await enterAs(page, product, person('Salif', '70930005'));
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'denied' });
  });
  await page.goto(`${product.url}/notifications`);
  await expect(page.getByRole('heading', { name: 'Notifications bloquées' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Me prévenir' })).toBeHidden();

  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'PushManager');
    Object.defineProperty(navigator, 'standalone', { configurable: true, value: false });
  });
  await page.reload();
  await expect(page.getByText(/^Ajoutez d'abord Guichet à l'écran d'accueil/)).toBeVisible();

  await page.addInitScript(() => Reflect.deleteProperty(navigator, 'standalone'));
  await page.reload();
  await expect(page.getByText('Aucune notification')).toBeVisible();
  await expect(page.getByRole('heading', { name: offered })).toBeHidden();
});

/// <reference lib="webworker" />
import { addresses, adminAddresses, matchAny } from '#web/addresses.ts';
import './push.ts';

declare const self: ServiceWorkerGlobalScope;

/** Set by the build: the app's files with their integrity hashes, and a name for the whole set. */
declare const builtFiles: readonly (readonly [path: string, integrity: string])[];
declare const version: string;

const files = builtFiles;
const shellName = `guichet-shell-${version}`;
const imagesName = 'guichet-images';
/** Cached images: a catalogue's, some 4 KB each, and its background. */
const imagesKept = 60;
/** Before each retry of a file: a dropped network is often back by then. */
const retryPausesMs = [1_000, 5_000];
/** The document, the answer to every address of the app. */
const page = addresses.home;

const isKept = (path: string) => files.some(([kept]) => kept === path);
/** Paths outside the app: the API and its documents, images, and files with an extension. */
const isElsewhere = (path: string) => /^\/(?:api|uploads|assets)(?:\/|$)|\.\w+$/i.test(path);
const isOfPanel = (path: string) => matchAny(adminAddresses).test(path);

/** Fetches a file with its integrity hash: a captive portal's answer fails. */
async function fetchFile(cache: Cache, path: string, integrity: string): Promise<void> {
  // A file under its hash is the same in every version: the browser's or the last version's copy is reused.
  const isHashed = path.startsWith('/assets/');
  const known = isHashed ? await caches.match(path) : undefined;
  const answer = known ?? (await fetch(path, { integrity, cache: isHashed ? 'default' : 'no-cache' }));
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  await cache.put(path, answer);
}

/** Retries a lost file, so that one does not fail the whole installation. */
async function fetchPatiently(cache: Cache, path: string, integrity: string): Promise<void> {
  for (const pause of retryPausesMs)
    try {
      return await fetchFile(cache, path, integrity);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  return fetchFile(cache, path, integrity).catch(async (error: unknown) => {
    await tellIfChanged(path);
    throw error;
  });
}

/** Tells the open pages where a file arrives, but is not what was built: something on the way changes it, and no further try helps. */
async function tellIfChanged(path: string): Promise<void> {
  const { ok } = await fetch(path, { cache: 'no-cache' });
  if (!ok) return;
  for (const client of await self.clients.matchAll({ includeUncontrolled: true }))
    client.postMessage({ changed: path });
}

async function install(): Promise<void> {
  const cache = await caches.open(shellName);
  await Promise.all(files.map(([path, integrity]) => fetchPatiently(cache, path, integrity)));
}

async function removeOldCaches(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => ![shellName, imagesName].includes(name)).map((name) => caches.delete(name)));
}

async function fromShell(request: Request, path: string): Promise<Response> {
  const cache = await caches.open(shellName);
  return (await cache.match(path)) ?? fetch(request);
}

/** The panel is not cached: its page comes from the server; the cached one only shows that the connection is lost. */
const fromServer = (request: Request) => fetch(request).catch(() => fromShell(request, page));

/** The image's own address, shared by all its sizes. */
const imageOf = (url: string) => url.replace(/-\d+(?=\.webp$)/, '');

/** A cached image in another size than the requested one, for a rotated phone or a larger card. */
async function otherSize(cache: Cache, { url }: Request): Promise<Response | undefined> {
  const other = (await cache.keys()).find((each) => imageOf(each.url) === imageOf(url));
  return other && cache.match(other);
}

/** Images never change under their name: the first answer is cached, and the oldest are evicted. */
async function image(request: Request): Promise<Response> {
  const cache = await caches.open(imagesName);
  const kept = await cache.match(request);
  if (kept) return kept;
  let answer: Response;
  try {
    answer = await fetch(request);
  } catch (error) {
    const other = await otherSize(cache, request);
    if (other) return other;
    throw error;
  }
  // What is not immutable is not the server's, but a captive portal's.
  if (!answer.ok || !answer.headers.get('cache-control')?.includes('immutable')) return answer;
  try {
    await cache.put(request, answer.clone());
    const all = await cache.keys();
    await Promise.all(all.slice(0, Math.max(0, all.length - imagesKept)).map((each) => cache.delete(each)));
  } catch {
    // Full storage does not hide the image.
  }
  return answer;
}

/** TypeScript does not know it yet: https://www.w3.org/TR/service-workers/#service-worker-static-routing-api */
interface Routing {
  addRoutes?(rule: { condition: { urlPattern: { pathname: string } }; source: 'network' }): Promise<void>;
}

self.addEventListener('install', (event) => {
  event.waitUntil(install());
  // Calls pass by: a browser drops a call on its way through here when its page is left, even one with `keepalive`.
  const { addRoutes } = event as Routing;
  void addRoutes?.call(event, { condition: { urlPattern: { pathname: '/api/*' } }, source: 'network' });
});
self.addEventListener('activate', (event) => event.waitUntil(removeOldCaches()));
// Only at the person's request: an open page keeps its version.
self.addEventListener('message', (event) => {
  if (event.data === 'activate') void self.skipWaiting();
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  if (request.mode === 'navigate') {
    if (isElsewhere(pathname)) return;
    event.respondWith(isOfPanel(pathname) ? fromServer(request) : fromShell(request, page));
  } else if (pathname.startsWith('/uploads/')) event.respondWith(image(request));
  else if (isKept(pathname)) event.respondWith(fromShell(request, pathname));
});

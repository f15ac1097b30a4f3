/// <reference lib="webworker" />
import { addresses, adminAddresses, matchAny } from '#web/addresses.ts';
import './push.ts';

declare const self: ServiceWorkerGlobalScope;

/** What the build puts in: the app's files, each with the hash its bytes must have, and a name for all of them together. */
declare const builtFiles: readonly (readonly [path: string, integrity: string])[];
declare const version: string;

const files = builtFiles;
const shellName = `guichet-shell-${version}`;
const imagesName = 'guichet-images';
/** Images kept: a catalogue's, some 4 KB each, and its background. */
const imagesKept = 60;
/** Before each further try to fetch a file: a network that drops is often back by then. */
const retryPausesMs = [1_000, 5_000];
/** The page itself, as every address of the app is answered with. */
const page = addresses.home;

const isKept = (path: string) => files.some(([kept]) => kept === path);
/** What is no screen of the app: the API and its documents, images, and files by their names. */
const isElsewhere = (path: string) => /^\/(?:api|uploads|assets)(?:\/|$)|\.\w+$/i.test(path);
const isOfPanel = (path: string) => matchAny(adminAddresses).test(path);

/** Fetches a file as it was built, or nothing: what a captive portal answers in its place has another hash. */
async function fetchFile(cache: Cache, path: string, integrity: string): Promise<void> {
  // A file under its hash is the same in every version; what the browser or the version before has is not paid for again.
  const isHashed = path.startsWith('/assets/');
  const known = isHashed ? await caches.match(path) : undefined;
  const answer = known ?? (await fetch(path, { integrity, cache: isHashed ? 'default' : 'no-cache' }));
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  await cache.put(path, answer);
}

/** One file that is lost on the way does not cost the whole installation, which the next visit would begin anew. */
async function fetchPatiently(cache: Cache, path: string, integrity: string): Promise<void> {
  for (const pause of retryPausesMs)
    try {
      return await fetchFile(cache, path, integrity);
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  return fetchFile(cache, path, integrity);
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

/** The panel is not kept: its page is the server's newest, and the kept one only says that there is no line. */
const fromServer = (request: Request) => fetch(request).catch(() => fromShell(request, page));

/** Whose size an address is: the image's own address, which the sizes of one image share. */
const imageOf = (url: string) => url.replace(/-\d+(?=\.webp$)/, '');

/** An image at another size than the one asked for, as a phone that was turned or a larger card may have it. */
async function otherSize(cache: Cache, { url }: Request): Promise<Response | undefined> {
  const other = (await cache.keys()).find((each) => imageOf(each.url) === imageOf(url));
  return other && cache.match(other);
}

/** Images never change under their name: the first answer is kept, and the oldest go. */
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
  // What stands in for a size that the server is about to make says so, and is asked for again.
  if (!answer.ok || !answer.headers.get('cache-control')?.includes('immutable')) return answer;
  try {
    await cache.put(request, answer.clone());
    const all = await cache.keys();
    await Promise.all(all.slice(0, Math.max(0, all.length - imagesKept)).map((each) => cache.delete(each)));
  } catch {
    // A phone without room shows it all the same.
  }
  return answer;
}

self.addEventListener('install', (event) => event.waitUntil(install()));
self.addEventListener('activate', (event) => event.waitUntil(removeOldCaches()));
// Only when a person asked for the new version: a page never changes under their fingers.
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

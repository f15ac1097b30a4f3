/// <reference lib="webworker" />
import { addresses, notificationAddress } from '#web/addresses.ts';

declare const self: ServiceWorkerGlobalScope;

/** A page that has not answered by then is an older version, or suspended. */
const answerMs = 1_000;

/** The payload of `server/features/push/jobs.ts`; a push may also come without one. */
interface PushText {
  title: string;
  body: string;
  notification?: number;
  ticket?: number;
}

const fallback: PushText = { title: 'Guichet', body: 'Vous avez une nouvelle notification.' };

function readText(data: PushMessageData | null): PushText {
  try {
    const text = data?.json() as Partial<PushText> | null | undefined;
    return typeof text?.title === 'string' && typeof text.body === 'string' ? { ...fallback, ...text } : fallback;
  } catch {
    return fallback;
  }
}

/** Shows one notification per ticket: a newer decision replaces the older one and alerts again. */
async function show(text: PushText): Promise<void> {
  const { title, body, ticket, notification } = text;
  const options: NotificationOptions & { renotify?: boolean } = {
    body,
    lang: 'fr',
    icon: '/icon-192.png',
    badge: '/badge-96.png',
    data: { notification },
    ...(ticket !== undefined && { tag: `ticket-${ticket}`, renotify: true }),
  };
  await self.registration.showNotification(title, options);
}

/** Opens an address in an existing window, without a reload if its page can navigate; else in a new window. */
async function open(address: string): Promise<void> {
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const [client] = [...windows].sort((a, b) => Number(b.focused) - Number(a.focused));
  if (!client) return void (await self.clients.openWindow(address));
  // Refused when the tap's user activation has expired.
  await client.focus().catch(() => {});
  const { port1, port2 } = new MessageChannel();
  const isOpened = new Promise<boolean>((resolve) => {
    port1.onmessage = () => resolve(true);
    setTimeout(resolve, answerMs, false);
  });
  client.postMessage({ open: address }, [port2]);
  if (await isOpened) return;
  // Refused for a page that this worker does not control.
  await client.navigate(address).catch(() => self.clients.openWindow(address));
}

self.addEventListener('push', (event) => event.waitUntil(show(readText(event.data))));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const { notification } = (event.notification.data ?? {}) as { notification?: number };
  event.waitUntil(open(notification ? notificationAddress(notification) : addresses.notifications));
});

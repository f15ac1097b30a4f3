import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { done, formed, words } from './shapes.ts';

/** The address at which a push service accepts messages for one browser; real ones have some hundred characters. */
const pushEndpoint = formed(/^[\x21-\x7e]{1,1000}$/, 'Cette adresse de notification est invalide.');

/** A browser's `PushSubscription.toJSON()`: its keys are 65 and 16 bytes, in base64url. */
export const pushSubscriptionForm = z.object({
  endpoint: pushEndpoint,
  keys: z.object({
    p256dh: formed(/^B[\w-]{86}$/, 'Cette clé est invalide.'),
    auth: formed(/^[\w-]{22}$/, 'Cette clé est invalide.'),
  }),
});

export const readPushKey = endpoint('readPushKey', 'GET', '/api/push/key', {
  access: 'verified',
  summary: 'The public key that a browser subscribes with; the same for everybody, and for ever.',
  response: z.object({ publicKey: words() }),
  topics: [],
});

export const savePushSubscription = endpoint('savePushSubscription', 'POST', '/api/push/subscriptions', {
  access: 'verified',
  summary:
    "Subscribes this browser to decisions by push. The subscription becomes the caller's, also if it was another person's.",
  body: pushSubscriptionForm,
  response: done,
  failures: ['PUSH_SERVICE_UNKNOWN'],
});

export const deletePushSubscription = endpoint('deletePushSubscription', 'DELETE', '/api/push/subscriptions', {
  access: 'verified',
  summary: "Ends the pushes to this browser, if it is one of the caller's.",
  body: z.object({ endpoint: pushEndpoint }),
  response: done,
});

import type { PushNews } from './store.ts';

const verbs: Record<string, string> = { success: 'a été approuvée', error: 'a été rejetée' };

/**
 * What the browser's service worker is sent, as JSON. A lock screen shows it to whoever looks: no name, no amount, no
 * service, no reason; the app says the rest.
 */
export function pushText({ id, ticketId, type, title }: PushNews): string {
  const verb = verbs[type];
  const body = verb ? `Votre demande n° ${ticketId} ${verb}.` : `Il y a du nouveau pour votre demande n° ${ticketId}.`;
  return JSON.stringify({ title, body, notification: id, ticket: ticketId });
}

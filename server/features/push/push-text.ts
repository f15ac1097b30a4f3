import type { PushNews } from './store.ts';

const verbs: Record<string, string> = { success: 'a été approuvée', error: 'a été rejetée' };

/**
 * The JSON for the browser's service worker. A lock screen shows it, so it has no name, amount, service or reason.
 */
export function pushText({ id, ticketId, type, title }: PushNews): string {
  const verb = verbs[type];
  const body = verb ? `Votre demande n° ${ticketId} ${verb}.` : `Il y a du nouveau pour votre demande n° ${ticketId}.`;
  return JSON.stringify({ title, body, notification: id, ticket: ticketId });
}

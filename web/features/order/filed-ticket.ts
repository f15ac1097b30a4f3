import type { Ticket } from '#contract/tickets.ts';
import { readStoredUser } from '#web/session/stored-user.ts';
import { sessionStore } from '#web/store.ts';

const filedKey = 'guichet_filed';

/** Stores that an order became this ticket, to which a reload leads until its code was seen. */
export function keepFiledTicket({ id, userId }: Pick<Ticket, 'id' | 'userId'>): void {
  sessionStore.keep(filedKey, `${userId} ${id}`);
}

/** The id of the person's ticket whose code may not have been seen. */
export function readFiledTicket(): number | undefined {
  const [userId, id] = sessionStore.read(filedKey)?.split(' ') ?? [];
  return userId === String(readStoredUser()?.id) ? Number(id) : undefined;
}

export const forgetFiledTicket = (): void => sessionStore.forget(filedKey);

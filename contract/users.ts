import * as z from 'zod/mini';
import { component, documented, id, instant, words } from './shapes.ts';

/** A person in the API. A guest's phone is the empty text. */
export const user = component(
  'User',
  z.object({
    id,
    firstName: words(),
    lastName: words(),
    phone: documented(words(), { description: 'E.164; empty for a guest.' }),
    email: z.nullable(words()),
    isGuest: z.boolean(),
    isVerified: z.boolean(),
    isAdmin: z.boolean(),
    countryCode: words(),
    createdAt: instant,
    updatedAt: instant,
  }),
);
export type User = z.output<typeof user>;

export type AccountStatus = 'Admin' | 'Invité' | 'Vérifié' | 'Non vérifié';

export function accountStatus(person: Pick<User, 'isAdmin' | 'isGuest' | 'isVerified'>): AccountStatus {
  if (person.isAdmin) return 'Admin';
  if (person.isGuest) return 'Invité';
  return person.isVerified ? 'Vérifié' : 'Non vérifié';
}

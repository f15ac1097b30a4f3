import * as z from 'zod/mini';
import { endpoint, id, idParams, instant, listQuery, searchQuery } from './endpoint.ts';
import { password } from './passwords.ts';

/** A person as the API shows one. A guest has no phone: it is the empty text. */
export const user = z.object({
  id,
  firstName: z.string(),
  lastName: z.string(),
  phone: z.string(),
  email: z.nullable(z.string()),
  isGuest: z.boolean(),
  isVerified: z.boolean(),
  isAdmin: z.boolean(),
  countryCode: z.string(),
  createdAt: instant,
  updatedAt: instant,
});
export type User = z.output<typeof user>;

export type AccountStatus = 'Admin' | 'Invité' | 'Vérifié' | 'Non vérifié';

export function accountStatus(person: Pick<User, 'isAdmin' | 'isGuest' | 'isVerified'>): AccountStatus {
  if (person.isAdmin) return 'Admin';
  if (person.isGuest) return 'Invité';
  return person.isVerified ? 'Vérifié' : 'Non vérifié';
}

export const listUsers = endpoint({
  method: 'GET',
  path: '/api/admin/users',
  caller: 'admin',
  summary: 'The users, newest first; `search` looks in name, phone and e-mail.',
  query: z.object({ ...listQuery, search: searchQuery }),
  response: z.array(user),
});

export const resetUserPassword = endpoint({
  method: 'PATCH',
  path: '/api/admin/users/:id/reset-password',
  caller: 'admin',
  summary: 'Sets a password for a user and ends all their sessions.',
  params: idParams,
  body: z.object({ password }),
  response: user,
});

export const deactivateUser = endpoint({
  method: 'PATCH',
  path: '/api/admin/users/:id/deactivate',
  caller: 'admin',
  summary: 'Ends the account for now: its sessions, codes and tokens die at once.',
  params: idParams,
  response: user,
});

export const activateUser = endpoint({
  method: 'PATCH',
  path: '/api/admin/users/:id/activate',
  caller: 'admin',
  summary: 'Makes the account verified again.',
  params: idParams,
  response: user,
});

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/admin/users/:id',
  caller: 'admin',
  summary: 'Deletes a user for good; their tickets stay.',
  params: idParams,
  response: z.object({ id }),
});

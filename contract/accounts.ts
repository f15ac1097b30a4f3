import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { password } from './passwords.ts';
import { countryCodes } from './phone.ts';
import {
  component,
  count,
  deleted,
  documented,
  expectedUpdatedAt,
  idParams,
  listQuery,
  searchQuery,
} from './shapes.ts';
import { user } from './users.ts';

const account = component('Account', z.extend(user, { isDeactivated: z.boolean() }));
export type Account = z.output<typeof account>;

/** Kinds of accounts that the list may be narrowed to; registered are all but guests. */
export const accountKinds = ['registered', 'verified', 'unverified', 'deactivated', 'admin', 'guest'] as const;
export type AccountKind = (typeof accountKinds)[number];

export const listUsers = endpoint('listUsers', 'GET', '/api/admin/users', {
  access: 'admin',
  summary: 'The users, newest first; `search` looks in name, phone and e-mail.',
  query: z.object({
    ...listQuery,
    search: searchQuery,
    kind: documented(z.optional(z.enum(accountKinds)), { description: 'Those of this kind; registered: no guests.' }),
    countryCode: z.optional(z.enum(countryCodes)),
  }),
  response: z.array(account),
  counted: true,
  topics: ['users'],
});

export const resetUserPassword = endpoint('resetUserPassword', 'PATCH', '/api/admin/users/:id/reset-password', {
  access: 'admin',
  summary: 'Sets a password for somebody else, who is no administrator, and ends all their sessions.',
  params: idParams,
  body: z.object({ password, expectedUpdatedAt }),
  response: account,
  failures: ['PROTECTED_USER', 'USER_NOT_FOUND', 'CHANGED_MEANWHILE'],
  audit: { title: "Mot de passe d'un utilisateur remplacé", about: 'user', fields: [] },
});

export const deactivateUser = endpoint('deactivateUser', 'PATCH', '/api/admin/users/:id/deactivate', {
  access: 'admin',
  summary: 'Ends the account for now: its sessions, codes and tokens die at once.',
  params: idParams,
  response: account,
  failures: ['PROTECTED_USER', 'USER_NOT_FOUND'],
  audit: { title: 'Utilisateur désactivé', about: 'user', fields: [] },
});

export const activateUser = endpoint('activateUser', 'PATCH', '/api/admin/users/:id/activate', {
  access: 'admin',
  summary: 'Makes the account verified again.',
  params: idParams,
  body: z.nullish(z.object({ expectedUpdatedAt })),
  response: account,
  failures: ['PROTECTED_USER', 'USER_NOT_FOUND', 'CHANGED_MEANWHILE'],
  audit: { title: 'Utilisateur réactivé', about: 'user', fields: [] },
});

export const deleteUser = endpoint('deleteUser', 'DELETE', '/api/admin/users/:id', {
  access: 'admin',
  summary: 'Deletes a user for good; their tickets stay.',
  params: idParams,
  response: deleted,
  failures: ['PROTECTED_USER', 'USER_NOT_FOUND'],
  audit: { title: 'Utilisateur supprimé', about: 'user', fields: [] },
});

export const readUser = endpoint('readUser', 'GET', '/api/admin/users/:id', {
  access: 'admin',
  summary: 'One user, and how many tickets they have filed.',
  params: idParams,
  response: component('UserDetail', z.extend(account, { tickets: count })),
  failures: ['USER_NOT_FOUND'],
  topics: ['user:{id}', 'user:{id}:tickets'],
});

import type { User } from '#contract/users.ts';
import type { UserRow } from './store.ts';

/** A user for the API: without password, and for a guest without the placeholder number. */
export function presentUser(row: UserRow): User {
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    phone: row.isGuest ? '' : row.phone,
    email: row.email,
    isGuest: row.isGuest,
    isVerified: row.isVerified,
    isAdmin: row.isAdmin,
    countryCode: row.countryCode,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

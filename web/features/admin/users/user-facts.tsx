import type { Account } from '#contract/accounts.ts';
import { findCountry } from '#contract/phone.ts';
import { type AccountStatus, accountStatus, type User } from '#contract/users.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';

const tones: Record<AccountStatus, Tone> = {
  Admin: 'indigo',
  Invité: 'grey',
  Vérifié: 'green',
  'Non vérifié': 'amber',
};

/** Guests have no name: a number distinguishes them. */
export function userName({ id, isGuest, firstName, lastName }: User): string {
  return isGuest ? `Invité n°\u00a0${id}` : `${firstName} ${lastName}`.trim();
}

export function StatusBadges({ user }: { user: Account }) {
  const status = accountStatus(user);
  return (
    <span className="inline-flex flex-wrap gap-1">
      <Badge tone={tones[status]}>{status}</Badge>
      {user.isDeactivated && <Badge tone="red">Désactivé</Badge>}
    </span>
  );
}

/** The declared country; a guest has none. */
export function UserCountry({ user }: { user: User }) {
  const country = user.isGuest ? undefined : findCountry(user.countryCode);
  if (!country) return <None />;
  return (
    <span className="whitespace-nowrap">
      <span aria-hidden="true">{country.flag}</span> {country.name}
    </span>
  );
}

export function None() {
  return (
    <>
      <span data-none aria-hidden="true" className="text-soft in-[li]:hidden">
        —
      </span>
      <span className="sr-only in-[li]:hidden">aucun</span>
    </>
  );
}

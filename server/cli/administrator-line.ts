import { formatPhone } from '#contract/phone.ts';

/** Says with what an administrator signs in: the only time that anybody reads this password. */
export function tellAdministrator({ user, password }: { user: { phone: string }; password: string }): void {
  console.log(`Administrateur : ${formatPhone(user.phone)} · mot de passe : ${password} (affiché une seule fois)`);
}

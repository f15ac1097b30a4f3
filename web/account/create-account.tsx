import type { ReactNode } from 'react';
import { addresses } from '#web/addresses.ts';
import { keepTyped } from '#web/forms/use-kept.ts';
import { Link } from '#web/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { join } from '#web/ui/join.ts';

/** Leads a guest to the sign-up form: a button, unless it has another look and other words. */
export function CreateAccount({
  className = buttonClass(),
  children = 'Créer un compte',
}: {
  className?: string;
  children?: ReactNode;
}) {
  return (
    <Link href={addresses.auth} onClick={() => keepTyped('auth', { tab: 'Inscription' })} className={className}>
      {children}
    </Link>
  );
}

/** The reasons for an account, for guests; `here` if the answers appear on this screen. */
export function WhyAnAccount({ here, className }: { here?: boolean; className: string }) {
  return (
    <p className={join('text-soft', className)}>
      {`Avec un compte, vous envoyez des demandes, vous suivez leur état et vous recevez les réponses${here ? ' ici' : ''}.`}
    </p>
  );
}

import { addresses } from '#web/addresses.ts';
import { keepTyped } from '#web/forms/use-kept.tsx';
import { Link } from '#web/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';

/** Leads a guest to the form that makes an account. */
export function CreateAccount({ className }: { className?: string }) {
  return (
    <Link
      href={addresses.auth}
      onClick={() => keepTyped('auth', { tab: 'Inscription' })}
      className={buttonClass({}, className)}
    >
      Créer un compte
    </Link>
  );
}

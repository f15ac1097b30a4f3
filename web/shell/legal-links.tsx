import { privacyAddress, termsAddress } from '#web/addresses.ts';
import { Link } from '#web/router.tsx';

const link = 'flex min-h-11 items-center text-center underline';

/** At the bottom of its screen, on one line if it fits. */
export function LegalLinks() {
  return (
    <footer className="-mx-2 mt-auto flex flex-wrap items-center justify-center gap-x-1.5 pt-4 text-small text-soft">
      <Link className={link} href={termsAddress}>
        Conditions d'utilisation
      </Link>
      <span aria-hidden="true" className="max-[22rem]:hidden">
        ·
      </span>
      <Link className={link} href={privacyAddress}>
        Politique de confidentialité
      </Link>
    </footer>
  );
}

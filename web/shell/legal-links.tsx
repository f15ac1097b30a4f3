import { privacyAddress, termsAddress } from '#web/addresses.ts';
import { Link } from '#web/router.tsx';

const link = 'inline-flex min-h-11 items-center px-2 text-soft underline';

export function LegalLinks() {
  return (
    <footer className="flex flex-wrap justify-center gap-x-2 text-sm">
      <Link className={link} href={termsAddress}>
        Conditions d’utilisation
      </Link>
      <Link className={link} href={privacyAddress}>
        Politique de confidentialité
      </Link>
    </footer>
  );
}

import { Link } from 'wouter';
import { privacyPath, termsPath } from './paths.ts';

const link = 'inline-flex min-h-11 items-center px-2 text-soft underline';

export function LegalLinks() {
  return (
    <footer className="flex flex-wrap justify-center gap-x-2 text-sm">
      <Link className={link} href={termsPath}>
        Conditions d’utilisation
      </Link>
      <Link className={link} href={privacyPath}>
        Politique de confidentialité
      </Link>
    </footer>
  );
}

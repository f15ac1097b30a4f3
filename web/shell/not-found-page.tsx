import { addresses } from '#web/addresses.ts';
import { Link } from '#web/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SearchIcon } from '#web/ui/icons.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';

export default function NotFoundPage() {
  return (
    <Column>
      <PageTitle>404 - Page non trouvée</PageTitle>
      <EmptyState Icon={SearchIcon} title="La page demandée n'existe pas.">
        <Link href={addresses.home} className={buttonClass()}>
          Retour à l'accueil
        </Link>
      </EmptyState>
    </Column>
  );
}

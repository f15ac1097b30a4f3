import { Link } from 'wouter';
import { paths } from './paths.ts';
import { buttonClass } from './ui/button.tsx';
import { EmptyState } from './ui/empty-state.tsx';
import { Column, PageTitle } from './ui/page.tsx';

export default function NotFoundPage() {
  return (
    <Column>
      <PageTitle>404 - Page non trouvée</PageTitle>
      <EmptyState picture="🧭" title="La page demandée n'existe pas.">
        <Link href={paths.home} className={buttonClass()}>
          Retour à l'accueil
        </Link>
      </EmptyState>
    </Column>
  );
}

import { addresses } from '#web/addresses.ts';
import { goBack, Link } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SearchIcon } from '#web/ui/icons.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';

export default function NotFoundPage() {
  return (
    <Column>
      <NotFound title="404 - Page non trouvée" />
    </Column>
  );
}

/** What stands in place of a page that does not exist. Who is not signed in came from elsewhere, and reads where they are. */
export function NotFound({ title }: { title: string }) {
  const { user } = useAuth();
  return (
    <>
      {!user && <p className="pt-3 font-extrabold text-2xl text-leaf tracking-tight">Guichet</p>}
      <PageTitle onBack={() => goBack(addresses.home)}>{title}</PageTitle>
      <Missing
        title="La page demandée n'existe pas."
        text="L'adresse est peut-être mal&nbsp;écrite, ou la page a été retirée."
        to={addresses.home}
        words="Retour à l'accueil"
      />
    </>
  );
}

/** In place of what is not there; the same for what does not exist and for what is somebody else's (P2.8). */
export function Missing({ title, text, to, words }: { title: string; text: string; to: string; words: string }) {
  return (
    <EmptyState Icon={SearchIcon} title={title} text={text}>
      <Link href={to} className={buttonClass()}>
        {words}
      </Link>
    </EmptyState>
  );
}

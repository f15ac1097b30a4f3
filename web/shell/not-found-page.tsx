import { type FormEvent, type ReactNode, useState } from 'react';
import { searchLength } from '#contract/shapes.ts';
import { addresses, searchAddress } from '#web/addresses.ts';
import { goBack, Link, navigate } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field } from '#web/ui/field.tsx';
import { SearchIcon } from '#web/ui/icons.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';
import { ClothTitle } from './cloth-title.tsx';

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
      {user ? <PageTitle onBack={() => goBack(addresses.home)}>{title}</PageTitle> : <ClothTitle>{title}</ClothTitle>}
      <Missing
        title="La page demandée n'existe pas."
        text="L'adresse est peut-être mal&nbsp;écrite, ou la page a été retirée."
        to={addresses.home}
        words="Retour à l'accueil"
      >
        {user && !user.isAdmin && <ServiceSearch />}
      </Missing>
    </>
  );
}

/** Leads to the results on home. */
function ServiceSearch() {
  const [typed, setTyped] = useState('');
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    navigate(searchAddress(typed));
  };
  return (
    <search className="w-full max-w-sm">
      <form onSubmit={onSubmit} className="flex flex-col gap-2.5">
        <Field
          label="Rechercher un service"
          labelHidden
          type="search"
          enterKeyHint="search"
          placeholder="Rechercher un service"
          maxLength={searchLength}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Button type="submit" variant="plain">
          Rechercher
        </Button>
      </form>
    </search>
  );
}

/** In place of what is not there; the same for what does not exist and for what is somebody else's (P2.8). */
export function Missing({
  title,
  text,
  to,
  words,
  children,
}: {
  title: string;
  text: string;
  to: string;
  words: string;
  children?: ReactNode;
}) {
  return (
    <EmptyState Icon={SearchIcon} title={title} text={text}>
      {children}
      <Link href={to} className={buttonClass()}>
        {words}
      </Link>
    </EmptyState>
  );
}

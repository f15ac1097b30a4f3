import { Component, type ComponentProps, type ReactNode } from 'react';
import { addresses } from '#web/addresses.ts';
import { Link, usePath } from '#web/router.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { Failed } from '#web/ui/empty-state.tsx';
import { Column, PageTitle } from '#web/ui/page.tsx';

interface Props {
  /** The address: a new one renders the children again. */
  at: string;
  title: string;
  /** Whether the children are a whole screen. */
  isPage?: boolean;
  children: ReactNode;
}

interface State {
  at: string;
  error?: unknown;
}

/** Contains a rendering error of its children and offers another try. */
export class Boundary extends Component<Props, State> {
  override state: State = { at: this.props.at };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error };
  }

  static getDerivedStateFromProps({ at }: Props, state: State): State | null {
    return at === state.at ? null : { at, error: undefined };
  }

  override render() {
    const { title, isPage, children } = this.props;
    const { error } = this.state;
    if (!error) return children;
    return <Failure title={title} error={error} isPage={isPage} onRetry={() => location.reload()} />;
  }
}

/** What failed to load or render; a whole screen has a second way on. */
export function Failure({ isPage, ...failed }: ComponentProps<typeof Failed> & { isPage: boolean | undefined }) {
  const path = usePath();
  if (!isPage) return <Failed {...failed} />;
  return (
    <Column>
      <PageTitle>Page non chargée</PageTitle>
      <Failed {...failed}>
        {path !== addresses.home && (
          <Link href={addresses.home} className={buttonClass({ variant: 'outline' }, '-mt-2')}>
            Retour à l'accueil
          </Link>
        )}
      </Failed>
    </Column>
  );
}

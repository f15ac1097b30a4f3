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

/** Contains a rendering error of its children and offers another try. */
export class Boundary extends Component<Props, { at: string; failed: boolean }> {
  override state = { at: this.props.at, failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  static getDerivedStateFromProps({ at }: Props, state: { at: string }) {
    return at === state.at ? null : { at, failed: false };
  }

  override render() {
    const { title, isPage, children } = this.props;
    if (!this.state.failed) return children;
    return <Failure title={title} isPage={isPage} onRetry={() => location.reload()} />;
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

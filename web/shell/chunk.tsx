import { Component, type ComponentProps, type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { readLiveness } from '#contract/health.ts';
import { addresses } from '#web/addresses.ts';
import { call } from '#web/api/client.ts';
import { Link, usePath } from '#web/router.tsx';
import { localStore } from '#web/store.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Failed } from '#web/ui/empty-state.tsx';
import { chunkRetryPausesMs } from './limits.ts';

/** A lazily loaded component. */
export interface Part<Props = object> {
  component?: ComponentType<Props>;
  /** Loads it once; retries several times before it fails. */
  fetch(): Promise<void>;
}

export function part<Props = object>(load: () => Promise<{ default: ComponentType<Props> }>): Part<Props> {
  let underWay: ReturnType<typeof load> | undefined;
  const made: Part<Props> = {
    async fetch() {
      if (made.component) return;
      underWay ??= patiently(load).finally(() => {
        underWay = undefined;
      });
      made.component = (await underWay).default;
    },
  };
  return made;
}

async function patiently<T>(load: () => Promise<T>): Promise<T> {
  for (const pause of chunkRetryPausesMs)
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  return load();
}

/** Renders a part once it is loaded, or offers another try. React's `lazy` would hide it for 300 ms after its placeholder. */
export function Chunk<Props>({
  of,
  given,
  waiting,
  isPage,
  isOrnament,
}: {
  of: Part<Props>;
  given?: Props | undefined;
  waiting: ReactNode;
  /** A whole screen. */
  isPage?: boolean;
  isOrnament?: boolean;
}) {
  const [loaded, setLoaded] = useState<{ of: Part<Props>; error?: unknown }>();
  const error = loaded?.of === of && loaded.error;
  useEffect(() => {
    if (of.component || error) return;
    let left = false;
    of.fetch().then(
      () => left || setLoaded({ of }),
      (error) => left || setLoaded({ of, error }),
    );
    return () => {
      left = true;
    };
  }, [of, error]);
  if (of.component) return <of.component {...(given as Props & object)} />;
  if (!error || isOrnament) return waiting;
  return (
    <Failure
      isPage={isPage}
      title="Cette page n'a pas pu être chargée."
      error={error}
      onRetry={() => fetchAnew(of).then(() => setLoaded({ of }))}
    />
  );
}

/** A server that answers but lacks the file has a newer version: reloads the page. */
async function fetchAnew(of: Pick<Part, 'fetch'>): Promise<void> {
  try {
    await of.fetch();
  } catch {
    const signedOut = { answers: new Map(), currentUserId: () => undefined, onSignedOut: () => {} };
    await call(readLiveness, {}, signedOut).then(
      () => location.reload(),
      () => {},
    );
  }
}

interface BoundaryProps {
  /** The address: a new one renders the children again. */
  at: string;
  title: string;
  /** Whether the children are a whole screen. */
  isPage?: boolean;
  children: ReactNode;
}

interface BoundaryState {
  at: string;
  error?: unknown;
}

/** Contains a rendering error of its children and offers another try. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { at: this.props.at };

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error };
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return at === state.at ? null : { at, error: undefined };
  }

  override render() {
    const { title, isPage, children } = this.props;
    const { error } = this.state;
    if (!error) return children;
    const onRetry = () => {
      // One of them may be what cannot be drawn.
      localStore.forgetAnswers();
      location.reload();
    };
    return <Failure title={title} error={error} isPage={isPage} onRetry={onRetry} />;
  }
}

/** What failed to load or render; a whole screen has a second way on. */
function Failure({ isPage, ...failed }: ComponentProps<typeof Failed> & { isPage: boolean | undefined }) {
  const path = usePath();
  if (!isPage) return <Failed {...failed} />;
  return (
    <main className="mx-auto w-full max-w-2xl px-4">
      <h1 className="cloth py-3 font-bold text-title">Page non chargée</h1>
      <Failed {...failed}>
        {path !== addresses.home && (
          <Link href={addresses.home} className={buttonClass({ variant: 'outline' }, '-mt-2')}>
            Retour à l'accueil
          </Link>
        )}
      </Failed>
    </main>
  );
}

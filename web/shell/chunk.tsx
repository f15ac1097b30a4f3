import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { readLiveness } from '#contract/health.ts';
import { call } from '#web/api/client.ts';
import { Failure } from './boundary.tsx';
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

/**
 * Renders a part once it is loaded, with the properties `given`. It offers another try after a failure, unless the part
 * is optional. React's `lazy` would hide it for 300 ms after its placeholder.
 */
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
    const signedOut = { userId: undefined, onSignedOut: () => {} };
    await call(readLiveness, {}, signedOut).then(
      () => location.reload(),
      () => {},
    );
  }
}

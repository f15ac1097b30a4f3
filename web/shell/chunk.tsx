import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { readLiveness } from '#contract/health.ts';
import { call } from '#web/api/client.ts';
import { Failed } from './boundary.tsx';
import { chunkRetryPausesMs } from './limits.ts';

/** A part of the app that comes in a file of its own. */
export interface Part<Props = object> {
  /** There once it was fetched. */
  component?: ComponentType<Props>;
  /** Fetches it, unless that was done; asks several times before it fails. */
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
 * Draws a part as soon as it is loaded, with the properties `given` to it. It offers another try when loading fails, unless
 * the part is optional. Not React's `lazy`: what that brings stays hidden for 300 ms after its placeholder was drawn.
 */
export function Chunk<Props>({
  of,
  given,
  waiting,
  isOrnament,
}: {
  of: Part<Props>;
  given?: Props | undefined;
  waiting: ReactNode;
  isOrnament?: boolean;
}) {
  const [heard, hear] = useState<{ of: Part<Props>; failed: boolean }>();
  const failed = heard?.of === of && heard.failed;
  useEffect(() => {
    if (of.component || failed) return;
    let left = false;
    const told = (failed: boolean) => left || hear({ of, failed });
    of.fetch().then(
      () => told(false),
      () => told(true),
    );
    return () => {
      left = true;
    };
  }, [of, failed]);
  if (of.component) return <of.component {...(given as Props & object)} />;
  if (!failed || isOrnament) return waiting;
  return (
    <Failed
      title="Cette page n’a pas pu être chargée."
      onRetry={() => fetchAnew(of).then(() => hear({ of, failed: false }))}
    />
  );
}

/** A server that answers, but no longer has the file, has a newer version: then the page itself is asked for again. */
async function fetchAnew(of: Pick<Part, 'fetch'>): Promise<void> {
  try {
    await of.fetch();
  } catch {
    const nobody = { userId: undefined, onSignedOut: () => {} };
    await call(readLiveness, {}, nobody).then(
      () => location.reload(),
      () => {},
    );
  }
}

import { startTransition, use, useEffect, useRef, useState } from 'react';
import { type Background, readBackground } from '#contract/background.ts';
import { call } from '#web/api/client.ts';
import { readStoredUser } from '#web/api/session.tsx';

/** Milliseconds a read background holds. */
const cacheTime = 300_000;

/** Without an answer the page simply has no background. */
function load(): Promise<Background | undefined> {
  return call(readBackground, {}, { userId: readStoredUser()?.id, onSignedOut: () => {} }).catch(() => undefined);
}

/** Made outside the component: one that waits for its first answer has no state of its own yet to keep it in. */
let first: ReturnType<typeof load> | undefined;
function firstAnswer() {
  first ??= load();
  return first;
}

/** The operator's picture behind everything; nothing at all without one. */
export function PageBackground() {
  const [answer, setAnswer] = useState(firstAnswer);
  const last = useRef(answer);
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.hidden) return;
      // A refresh that gets no answer keeps what is drawn.
      const previous = last.current;
      const next = load().then((fresh) => fresh ?? previous);
      last.current = next;
      startTransition(() => setAnswer(next));
    }, cacheTime);
    return () => clearInterval(timer);
  }, []);
  const settings = use(answer);
  if (!settings?.backgroundImage) return null;
  return (
    <div
      aria-hidden="true"
      data-testid="page-background"
      className="pointer-events-none fixed inset-0 -z-10 bg-center bg-cover"
      style={{
        backgroundImage: `url("${settings.backgroundImage}")`,
        opacity: settings.opacity / 100,
        filter: `blur(${settings.blur}px)`,
      }}
    />
  );
}

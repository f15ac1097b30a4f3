import { type ReactNode, useEffect, useState, useSyncExternalStore } from 'react';
import { readPageBackground, type PageBackground as Settings } from '#contract/page-background.ts';
import { adminAddresses } from '#web/addresses.ts';
import { connectivityEvent, readLastAnswer } from '#web/api/client.ts';
import { lostInARow } from '#web/api/limits.ts';
import { useCall } from '#web/api/use-call.ts';
import { usePath } from '#web/router.tsx';
import { Chunk, part } from './chunk.tsx';

/** The frame of every screen: cloth stripe, offline bar and page background. */
export function Frame({ children }: { children: ReactNode }) {
  return (
    <>
      <PageBackground />
      <div className="woven relative z-25" />
      <OfflineBar />
      {children}
    </>
  );
}

/** Loaded only if an operator set a picture. */
const picture = part<{ settings: Settings; className: string; 'data-testid': string }>(
  () => import('./background-picture.tsx'),
);

/** A window event that has the page background read again, unless the page is hidden. */
export const backgroundChanged = 'guichet:background';

/** The operator's picture behind all screens but the panel's; nothing without one or without an answer. What is drawn stays where no newer answer comes. */
function PageBackground() {
  const call = useCall();
  const isPanel = usePath().startsWith(adminAddresses.dashboard);
  const [data, setData] = useState<Settings>();
  useEffect(() => {
    const read = () => document.hidden || call(readPageBackground, {}).then(setData, () => {});
    read();
    addEventListener(backgroundChanged, read);
    return () => removeEventListener(backgroundChanged, read);
  }, [call]);
  const given = data && { settings: data, className: 'page-background fixed', 'data-testid': 'page-background' };
  return !isPanel && data?.backgroundImage && <Chunk of={picture} given={given} waiting={null} isOrnament />;
}

/** The age of the screens: 'données de 14:02', with the day if it is not today. */
export function seenAt(at: number, now = new Date()): string {
  const then = new Date(at);
  const hour = then.toLocaleTimeString('fr-FR', { timeStyle: 'short' });
  const day = then.toLocaleDateString('fr-FR', { day: 'numeric', month: 'short' });
  return `données d${then.toDateString() === now.toDateString() ? 'e' : `u ${day} à`} ${hour}`;
}

/** Consecutive calls without an answer. */
function useLostCalls(): number {
  const [lostCalls, setLostCalls] = useState(0);
  useEffect(() => {
    const onCall = (event: Event) =>
      setLostCalls((before) => ((event as CustomEvent<boolean>).detail ? 0 : before + 1));
    addEventListener(connectivityEvent, onCall);
    return () => removeEventListener(connectivityEvent, onCall);
  }, []);
  return lostCalls;
}

const onLineEvents = ['online', 'offline'] as const;

/** Shows that the connection is lost, and the age of the data; disappears with the first answer. */
function OfflineBar() {
  const lostCalls = useLostCalls();
  const isConnected = useSyncExternalStore(
    (onChange) => {
      for (const each of onLineEvents) addEventListener(each, onChange);
      return () => {
        for (const each of onLineEvents) removeEventListener(each, onChange);
      };
    },
    () => navigator.onLine,
  );
  const at = readLastAnswer();
  return (
    <p role="status" className="offline-bar bg-amber-pale px-4 py-1.5 font-semibold text-amber text-body">
      {(!isConnected || lostCalls >= lostInARow) && `Hors ligne${at ? ` · ${seenAt(at)}` : ''}`}
    </p>
  );
}

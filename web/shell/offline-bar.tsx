import { useEffect, useState, useSyncExternalStore } from 'react';
import { connectivityEvent, readLastAnswer } from '#web/api/connectivity.ts';
import { lostInARow } from '#web/api/limits.ts';

/** Of what time the screens are: 'vu à 14:02', with the day when it is not today's. */
export function seenAt(at: number, now = new Date()): string {
  const then = new Date(at);
  const hour = then.toLocaleTimeString('fr-FR', { timeStyle: 'short' });
  const day = then.toLocaleDateString('fr-FR', { day: 'numeric', month: 'short' });
  return then.toDateString() === now.toDateString() ? `vu à ${hour}` : `vu le ${day} à ${hour}`;
}

/** Calls in a row that had no answer. */
function useLost(): number {
  const [lost, setLost] = useState(0);
  useEffect(() => {
    const hear = (event: Event) => setLost((before) => ((event as CustomEvent<boolean>).detail ? 0 : before + 1));
    addEventListener(connectivityEvent, hear);
    return () => removeEventListener(connectivityEvent, hear);
  }, []);
  return lost;
}

const onLineEvents = ['online', 'offline'] as const;

/** Says that there is no line, and of when is what is shown; gone with the first answer. */
export function OfflineBar() {
  const lost = useLost();
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
    <p
      role="status"
      className="offline-bar sticky top-0 z-30 bg-amber-pale px-4 py-1.5 font-semibold text-amber text-sm empty:hidden"
    >
      {(!isConnected || lost >= lostInARow) && `Hors ligne${at ? ` · ${seenAt(at)}` : ''}`}
    </p>
  );
}

import { useEffect, useState, useSyncExternalStore } from 'react';
import { connectivityEvent, readLastAnswer } from '#web/api/client.ts';
import { lostInARow } from '#web/api/limits.ts';

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
export function OfflineBar() {
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
    <p role="status" className="offline-bar bg-amber-pale px-4 py-1.5 font-semibold text-amber text-sm">
      {(!isConnected || lostCalls >= lostInARow) && `Hors ligne${at ? ` · ${seenAt(at)}` : ''}`}
    </p>
  );
}

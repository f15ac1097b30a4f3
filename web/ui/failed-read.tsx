import { use, useEffect, useEffectEvent } from 'react';
import { Button } from './button.tsx';
import { causeOf, offline } from './cause.ts';
import { WarningIcon } from './control-icons.tsx';
import { EmptyState } from './empty-state.tsx';
import { OfflineIcon } from './icons.tsx';
import { retryEveryMs } from './limits.ts';
import { StaffContext } from './staff.ts';

/** What could not be loaded or shown, why, and another try; what passes without the person is tried again by itself. */
export function FailedRead({
  title,
  error,
  isOffline,
  inline,
  onRetry,
}: {
  title: string;
  error: unknown;
  /** It waits for the network, and was not tried. */
  isOffline?: boolean;
  /** One line, for a part of a screen. */
  inline?: boolean | undefined;
  onRetry: () => void;
}) {
  const { advice, isPassing, id } = isOffline ? offline : causeOf(error);
  const isStaff = use(StaffContext);
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (!isPassing) return;
    const timer = setInterval(() => document.hidden || retry(), retryEveryMs);
    return () => clearInterval(timer);
  }, [isPassing]);
  const reason = isStaff && id ? `${advice} Erreur n°\u00a0${id}.` : advice;
  if (inline)
    return (
      <div className="flex flex-wrap items-center gap-x-3 text-brick text-body">
        <p className="min-w-0 flex-1 basis-40">
          {title} {reason}
        </p>
        <Button variant="quiet" tight onClick={onRetry}>
          Réessayer
        </Button>
      </div>
    );
  return (
    <EmptyState failed Icon={advice === offline.advice ? OfflineIcon : WarningIcon} title={title} text={reason}>
      <Button onClick={onRetry}>Réessayer</Button>
    </EmptyState>
  );
}

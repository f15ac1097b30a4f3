import { type ComponentType, createContext, type ReactNode, use, useEffect, useEffectEvent } from 'react';
import { causeOf, offline } from './advice.ts';
import { Button } from './button.tsx';
import { WarningIcon } from './control-icons.tsx';
import type { IconProps } from './drawing.tsx';
import { OfflineIcon } from './icons.tsx';
import { join } from './join.ts';
import { retryEveryMs } from './limits.ts';

interface Props {
  Icon: ComponentType<IconProps>;
  title: string;
  text?: string;
  failed?: boolean;
  children?: ReactNode;
}

/** What is empty, not found or not loaded; `text` says what to do about it, and the first action, filled, does it. */
export function EmptyState({ Icon, title, text, failed, children }: Props) {
  return (
    <div className="flex w-full flex-col items-center gap-6 text-balance px-4 py-10 text-center short:gap-4 short:py-3 [&>p+p]:-mt-4">
      <span
        className={join(
          'flex size-16 items-center justify-center rounded-full short:size-10',
          failed ? 'bg-amber-pale text-amber' : 'bg-leaf-pale text-leaf',
        )}
      >
        <Icon className="size-1/2" />
      </span>
      <p className="font-bold font-display text-large leading-snug">{title}</p>
      {text && <p className="max-w-sm text-soft">{text}</p>}
      {children}
    </div>
  );
}

/** Whether the id of a fault in the log is shown, to those who can look it up. */
export const StaffContext = createContext(false);

/** What could not be loaded or shown, why, and another try; what passes without the person is tried again by itself. */
export function Failed({
  title,
  error,
  isOffline,
  inline,
  onRetry,
  children,
}: {
  title: string;
  error: unknown;
  /** It waits for the network, and was not tried. */
  isOffline?: boolean;
  /** One line, for a part of a screen. */
  inline?: boolean | undefined;
  onRetry: () => void;
  children?: ReactNode;
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
      {children}
    </EmptyState>
  );
}

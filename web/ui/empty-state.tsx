import type { ComponentType, ReactNode } from 'react';
import { adviceOn } from './advice.ts';
import { Button } from './button.tsx';
import { WarningIcon } from './control-icons.tsx';
import type { IconProps } from './drawing.tsx';
import { join } from './join.ts';

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

/** What could not be loaded or shown, for this `error`, with another try. */
export function Failed({
  title,
  error,
  onRetry,
  children,
}: {
  title: string;
  error: unknown;
  onRetry: () => void;
  children?: ReactNode;
}) {
  return (
    <EmptyState failed Icon={WarningIcon} title={title} text={adviceOn(error)}>
      <Button onClick={onRetry}>Réessayer</Button>
      {children}
    </EmptyState>
  );
}

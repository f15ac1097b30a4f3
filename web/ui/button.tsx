import type { ComponentProps } from 'react';
import { join } from './join.ts';

type Variant = 'main' | 'plain' | 'outline' | 'quiet' | 'danger';

const base = 'inline-flex items-center justify-center gap-2 text-center font-semibold leading-tight transition-colors';
const variants: Record<Variant, string> = {
  main: 'bg-leaf text-on-leaf hover:bg-leaf-dark disabled:bg-leaf-pale disabled:text-leaf/85',
  plain: 'border border-edge bg-card text-ink hover:bg-ground disabled:border-line disabled:text-soft',
  outline: 'border border-leaf bg-card text-leaf hover:bg-leaf-pale disabled:border-line disabled:text-soft',
  quiet: 'text-leaf hover:bg-leaf-pale disabled:text-soft',
  danger: 'border border-brick bg-card text-brick hover:bg-brick-pale disabled:border-line disabled:text-soft',
};

interface Shape {
  variant?: Variant;
  /** Less padding, for several buttons on a narrow line. */
  tight?: boolean;
  /** For a mouse, in a table row; touch needs the usual size. */
  small?: boolean;
}

/** The classes of a button, for a link in its style. */
export function buttonClass({ variant = 'main', tight, small }: Shape = {}, more?: string): string {
  const size = small ? 'min-h-9 rounded-lg px-2 py-1 text-small' : 'rounded-xl py-2.5';
  return join(base, variants[variant], size, !small && (tight ? 'min-h-12 px-3' : 'min-h-13 px-5 md:min-h-12'), more);
}

export function Button({
  variant,
  tight,
  small,
  busy,
  className,
  type = 'button',
  ...rest
}: ComponentProps<'button'> &
  Shape & { /** While busy it is marked as disabled, but keeps the focus. */ busy?: boolean }) {
  return (
    <button
      type={type}
      aria-disabled={busy || undefined}
      className={buttonClass({ variant, tight, small }, join('aria-disabled:opacity-85', className))}
      {...rest}
    />
  );
}

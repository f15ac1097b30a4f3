import type { ComponentProps, ComponentType } from 'react';
import { Button } from '#web/ui/button.tsx';
import type { IconProps } from '#web/ui/drawing.tsx';
import { join } from '#web/ui/join.ts';

type Look = Pick<ComponentProps<typeof Button>, 'variant' | 'disabled' | 'busy' | 'onClick' | 'onKeyDown'> & {
  /** In a table: for a mouse, and by its icon alone if it has one. */
  small?: boolean | undefined;
};

/** A button of a row or card; `of` names that for screen readers. */
export function RowButton({
  of,
  name,
  Icon,
  small = false,
  ...button
}: Look & { of: string; name: string; Icon?: ComponentType<IconProps> | undefined }) {
  const byIcon = small && Icon;
  return (
    <Button
      tight
      small={small}
      className={
        byIcon
          ? join('size-9 shrink-0 p-0!', button.variant === 'plain' && 'text-soft!')
          : 'flex-1 in-[li[data-row]]:min-h-12 in-[li[data-row]]:text-body'
      }
      aria-label={`${name} ${of}`}
      title={byIcon ? name : undefined}
      {...button}
    >
      {byIcon ? <Icon className="size-5" /> : name}
    </Button>
  );
}

import type { ComponentType, ReactNode } from 'react';
import type { IconProps } from './drawing.tsx';
import { join } from './join.ts';

export function EmptyState({
  Icon,
  title,
  failed,
  children,
}: {
  Icon: ComponentType<IconProps>;
  title: string;
  failed?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className="flex w-full flex-col items-center gap-4 px-4 py-10 text-center">
      <span
        className={join(
          'flex size-16 items-center justify-center rounded-full',
          failed ? 'bg-amber-pale text-amber' : 'bg-leaf-pale text-leaf',
        )}
      >
        <Icon className="size-8" />
      </span>
      <p className="font-semibold text-lg">{title}</p>
      {children}
    </div>
  );
}

import type { ReactNode } from 'react';

export interface IconProps {
  className?: string;
}

/** A line drawing of 24 by 24, in the colour of the text around it. */
export function Drawing({ className = 'size-6', children }: IconProps & { children: ReactNode }) {
  return (
    <svg
      className={className}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

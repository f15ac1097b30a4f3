import type { ReactNode } from 'react';

export interface IconProps {
  className?: string;
}

/** A 24 by 24 line icon in the colour of the surrounding text. */
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

/** An icon of a path and of circles, each by its centre and radius. */
/* @__NO_SIDE_EFFECTS__ */
export function icon(path: string, ...circles: [x: number, y: number, radius: number][]) {
  return (props: IconProps) => (
    <Drawing {...props}>
      {circles.map(([x, y, radius]) => (
        <circle key={`${x} ${y}`} cx={x} cy={y} r={radius} />
      ))}
      <path d={path} />
    </Drawing>
  );
}

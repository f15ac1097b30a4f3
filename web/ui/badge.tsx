import type { ReactNode } from 'react';
import { join } from './join.ts';

export type Tone = 'green' | 'amber' | 'red' | 'grey' | 'indigo';

const tones: Record<Tone, string> = {
  green: 'bg-leaf-pale text-leaf-dark ring-leaf/30',
  amber: 'bg-amber-pale text-amber ring-amber/30',
  red: 'bg-brick-pale text-brick ring-brick/30',
  grey: 'bg-ground text-soft ring-edge/40',
  indigo: 'bg-unread text-indigo ring-indigo/30',
};

export function Badge({ tone = 'grey', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={join(
        'inline-block whitespace-nowrap rounded-full px-2 py-0.5 font-semibold text-small ring-1 ring-inset',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}

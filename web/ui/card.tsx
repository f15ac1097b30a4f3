import type { ComponentProps } from 'react';
import { join } from './join.ts';

export const cardClass = 'rounded-card border border-line bg-card shadow-[0_1px_2px_rgb(30_41_59/0.06)]';

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  return <div className={join(cardClass, 'p-4 sm:p-5', className)} {...rest} />;
}

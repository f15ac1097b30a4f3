import type { ComponentProps } from 'react';
import { join } from './join.ts';

export const cardClass = 'rounded-card border border-line bg-card shadow-[0_1px_2px_rgb(30_41_59/0.06)]';

export function Card({ className, ...rest }: ComponentProps<'div'>) {
  // With its border, what is in it begins where a ticket's does.
  return <div className={join(cardClass, 'p-[calc(1rem-1px)] sm:p-5', className)} {...rest} />;
}

import type { ComponentProps } from 'react';
import { Field } from '#web/ui/field.tsx';
import { groupAmount, retype, type TypingEvent } from './grouped-typing.ts';

/** An amount in francs, grouped during typing. */
export function AmountField({
  onTyped,
  ...field
}: Omit<ComponentProps<typeof Field>, 'onChange'> & { onTyped?: (text: string) => void }) {
  const type = (event: TypingEvent) => {
    const text = retype(event, groupAmount);
    onTyped?.(text);
  };
  return <Field inputMode="numeric" autoComplete="off" onChange={type} onCompositionEnd={type} {...field} />;
}

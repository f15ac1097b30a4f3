import type { ComponentProps, FocusEvent } from 'react';
import { parseTypedAmount } from '#contract/typed-amount.ts';
import { Field } from '#web/ui/field.tsx';
import { groupAmount, retype, type TypingEvent } from './grouped-typing.ts';

/** An amount in francs, grouped during typing; left, it is its digits alone: '5.000 F' becomes '5 000'. */
export function AmountField({
  onTyped,
  ...field
}: Omit<ComponentProps<typeof Field>, 'onChange'> & { onTyped?: (text: string) => void }) {
  const type = (event: TypingEvent) => {
    const text = retype(event, groupAmount);
    onTyped?.(text);
  };
  const leave = ({ currentTarget: field }: FocusEvent<HTMLInputElement>) => {
    const amount = parseTypedAmount(field.value);
    if (amount === undefined) return;
    field.value = groupAmount({ text: String(amount), caret: 0 }).text;
    onTyped?.(field.value);
  };
  return (
    <Field inputMode="numeric" autoComplete="off" onChange={type} onCompositionEnd={type} onBlur={leave} {...field} />
  );
}

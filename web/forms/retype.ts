import type { ChangeEvent } from 'react';
import type { Typing } from './grouped-typing.ts';

/**
 * Regroups what was just typed into a field, and writes it there with the caret in its place. React leaves alone what already
 * stands in a field, and with it the caret.
 */
export function retype<T extends Typing>(
  { target, nativeEvent }: ChangeEvent<HTMLInputElement>,
  regroup: (typing: Typing) => T,
): T {
  const caret = target.selectionStart ?? target.value.length;
  const forward = (nativeEvent as InputEvent).inputType === 'deleteContentForward';
  const regrouped = regroup({ text: target.value, caret, forward });
  target.value = regrouped.text;
  target.setSelectionRange(regrouped.caret, regrouped.caret);
  return regrouped;
}

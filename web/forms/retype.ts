import type { ChangeEvent } from 'react';
import type { Typing } from './grouped-typing.ts';

/**
 * Regroups the text just typed into a field and restores the caret. React does not reset a field that already has the
 * value.
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

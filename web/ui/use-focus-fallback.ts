import { type FocusEvent, useLayoutEffect, useRef } from 'react';

/** Whether the keyboard would restart at the top of the page: nothing has the focus, or what has it was disabled. */
export const isFocusLost = () =>
  document.activeElement === document.body || document.activeElement?.matches(':disabled') === true;

/** Keeps the keyboard's place where a focused control disappears or is disabled: the heading of its part takes the focus, or what stands for one. */
export function useFocusFallback<E extends HTMLElement = HTMLHeadingElement>() {
  const heading = useRef<E>(null);
  const isInside = useRef(false);
  // After every change, before the browser leaves what was disabled; a removed element fires no event.
  useLayoutEffect(() => {
    if (isInside.current && isFocusLost()) heading.current?.focus({ preventScroll: true });
  });
  const onFocus = () => {
    isInside.current = true;
  };
  // A dialog gives the focus back, which React does not tell.
  const onBlur = ({ relatedTarget }: FocusEvent) => {
    isInside.current = relatedTarget?.closest('dialog') != null;
  };
  return { heading: { ref: heading, tabIndex: -1 }, around: { onFocus, onBlur } };
}

import { type KeyboardEvent, type MouseEvent, useLayoutEffect, useRef } from 'react';

/** So soon after a change a press is the second half of a double click, or was meant for what stood there before. */
const tooSoonMs = 300;

/**
 * Makes a button decide once: a key that is held down is one press, and a pointer's press within 300 ms of a change of
 * `shown` does nothing.
 */
export function useDeliberate(shown: unknown) {
  const changedAt = useRef(0);
  useLayoutEffect(() => {
    void shown;
    changedAt.current = performance.now();
  }, [shown]);
  return (press: () => void) => ({
    onClick: (event: MouseEvent) => {
      const isPointer = event.detail > 0;
      if (isPointer && event.timeStamp - changedAt.current < tooSoonMs) event.preventDefault();
      else press();
    },
    onKeyDown: (event: KeyboardEvent) => event.repeat && event.preventDefault(),
  });
}

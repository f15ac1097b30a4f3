import type { KeyboardEvent, MouseEvent } from 'react';

/** Of a button that decides: a double click is one press, wherever its second half falls, and so is a key that is held down. */
export const deliberate = (press: () => void) => ({
  onClick: (event: MouseEvent) => {
    // The browser counts the clicks at one place, in the time that the person's system has for it.
    if (event.detail > 1) event.preventDefault();
    else press();
  },
  onKeyDown: (event: KeyboardEvent) => event.repeat && event.preventDefault(),
});

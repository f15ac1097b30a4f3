import { type RefObject, useLayoutEffect, useRef } from 'react';
import { notifyMoved, readEntry, rewind } from './history-entry.ts';

/** Those whose address does not open them. */
const openDialogs = () => [...document.querySelectorAll<HTMLDialogElement>('dialog[open]:not([data-addressed])')];

/**
 * Opens a dialog as long as it is rendered, over all else or beside it; a layout effect closes it while it is still in the document, which restores the
 * focus. The back button requests closing, which Chrome on Android alone does by itself:
 * each open dialog has an entry in the tab's history. One with an address (`data-addressed`) has that address's.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, isModal = true): void {
  const wasOpen = useRef(false);
  useLayoutEffect(() => {
    const element = dialog.current;
    const isChanged = wasOpen.current;
    wasOpen.current = true;
    // One that changes stays below what was opened over it.
    if (isModal && !(isChanged && openDialogs().length > 0)) element?.showModal();
    else element?.show();
    // The same function is added once; it stays for entries of closed dialogs, to which the browser's forward button leads.
    addEventListener('popstate', onMoved);
    matchEntries();
    return () => {
      element?.close();
      // Another one may open in its place, or a link may lead on.
      setTimeout(matchEntries);
    };
  }, [dialog, isModal]);
}

function onMoved({ isTrusted }: Event): void {
  const beyond = isTrusted ? openDialogs().slice(readEntry().over ?? 0) : [];
  for (const dialog of beyond.reverse()) dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
  // What is still open then, or asks first, has its entry again.
  setTimeout(matchEntries);
}

/** Gives each open dialog an entry, and leaves those of closed ones. */
function matchEntries(): void {
  const open = openDialogs().length;
  const { over = 0, left, ...entry } = readEntry();
  if (left) return;
  for (let level = over + 1; level <= open; level += 1) history.pushState({ ...entry, over: level }, '');
  if (over > open)
    rewind(over - open, () => {
      matchEntries();
      notifyMoved();
    });
}

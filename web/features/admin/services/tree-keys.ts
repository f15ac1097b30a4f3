import type { KeyboardEvent } from 'react';
import { searchedWords } from './search-services.ts';
import type { TreeRow } from './service-tree.ts';

interface Actions {
  focus: (id: number) => void;
  toggle: (id: number, open: boolean) => void;
  /** The same as a click on the row. */
  activate: (row: TreeRow) => void;
  moveBy: (row: TreeRow, by: -1 | 1) => void;
}

/**
 * The keyboard interface of a tree by https://www.w3.org/WAI/ARIA/apg/patterns/treeview/, and Alt with an arrow to move
 * a service.
 */
export function treeKeys(rows: readonly TreeRow[], { focus, toggle, activate, moveBy }: Actions) {
  return (event: KeyboardEvent<HTMLElement>) => {
    const { target, key } = event;
    // Buttons in a row handle their own keys.
    if (!(target instanceof HTMLElement) || target.role !== 'treeitem') return;
    const at = rows.findIndex(({ service }) => String(service.id) === target.dataset.service);
    const row = rows[at];
    if (!row || event.ctrlKey || event.metaKey) return;
    const goTo = (to: TreeRow | undefined) => to && focus(to.service.id);
    const arrow = { ArrowUp: -1, ArrowDown: 1 }[key] as -1 | 1 | undefined;
    if (arrow && event.altKey) moveBy(row, arrow);
    else if (event.altKey) return;
    else if (arrow) goTo(rows[at + arrow]);
    else if (key === 'Home') goTo(rows[0]);
    else if (key === 'End') goTo(rows.at(-1));
    else if (key === 'ArrowRight' && row.children > 0) row.isOpen ? goTo(rows[at + 1]) : toggle(row.service.id, true);
    else if (key === 'ArrowLeft') {
      if (row.isOpen) toggle(row.service.id, false);
      else goTo(rows.find(({ service }) => service.id === row.service.parentId));
    } else if (key === 'Enter' || key === ' ') activate(row);
    else if (key === '*') {
      for (const { service, children } of rows)
        if (service.parentId === row.service.parentId && children > 0) toggle(service.id, true);
    } else if (/^\S$/u.test(key)) goTo(nextWith(key, [...rows.slice(at + 1), ...rows.slice(0, at)]));
    else if (key !== 'ArrowRight') return;
    event.preventDefault();
  };
}

/** The next row whose name begins with a letter. */
function nextWith(letter: string, rows: readonly TreeRow[]): TreeRow | undefined {
  const [wanted] = searchedWords(letter);
  return wanted === undefined
    ? undefined
    : rows.find(({ service }) => searchedWords(service.name)[0]?.startsWith(wanted));
}

import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { searchedWords } from '#contract/fold.ts';
import { cardClass } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';
import type { TreeRow } from './service-tree.ts';
import { type RowActions, TreeLine } from './tree-line.tsx';

/** The catalogue as a tree with one tab stop and arrow keys inside. A click opens a service's children, or its form. */
export function TreeView({
  rows,
  words,
  editedId,
  reparentingId,
  focusId,
  onFocused,
  actions,
}: {
  rows: readonly TreeRow[];
  words: readonly string[];
  editedId: number | undefined;
  /** The service being moved to another parent. */
  reparentingId: number | undefined;
  /** Gets the focus once it is rendered. */
  focusId: number | undefined;
  onFocused: () => void;
  actions: RowActions;
}) {
  const tree = useRef<HTMLDivElement>(null);
  const isWide = useContainerWidth(tree, 30);
  const [lastId, setLastId] = useState<number>();
  const activeId = rows.some(({ service }) => service.id === lastId) ? lastId : rows[0]?.service.id;
  const focus = (id: number) => tree.current?.querySelector<HTMLElement>(`[data-service="${id}"]`)?.focus();

  const hasFocusId = rows.some(({ service }) => service.id === focusId);
  const giveFocus = useEffectEvent(() => {
    if (focusId === undefined) return;
    focus(focusId);
    onFocused();
  });
  useEffect(() => {
    if (hasFocusId) giveFocus();
  }, [hasFocusId]);

  const activate = ({ service, children, isOpen }: TreeRow) => {
    if (children > 0) actions.toggle(service.id, !isOpen);
    else actions.edit(service);
  };
  const onClick = ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest('button,[role="menu"]')) return;
    const line = target.closest<HTMLElement>('[role="treeitem"]');
    const row = rows.find(({ service }) => String(service.id) === line?.dataset.service);
    if (row) activate(row);
  };
  return (
    <div
      ref={tree}
      role="tree"
      aria-label="Services"
      onKeyDown={treeKeys(rows, { focus, toggle: actions.toggle, activate, moveBy: actions.moveBy })}
      onClick={onClick}
      className={join(cardClass, '@container')}
    >
      {rows.map((row) => (
        <TreeLine
          key={row.service.id}
          row={row}
          words={words}
          isActive={row.service.id === activeId}
          isEdited={row.service.id === editedId}
          isReparenting={row.service.id === reparentingId}
          isWide={isWide}
          onFocus={setLastId}
          actions={actions}
        />
      ))}
    </div>
  );
}

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
function treeKeys(rows: readonly TreeRow[], { focus, toggle, activate, moveBy }: Actions) {
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

/**
 * Whether an element is at least so wide, in rem. The side menu and the text size change its width, not only the
 * window.
 */
export function useContainerWidth(element: RefObject<HTMLElement | null>, rem: number): boolean {
  const [isWide, setWide] = useState(true);
  useLayoutEffect(() => {
    const box = element.current;
    if (!box) return;
    const measure = () => {
      const textSize = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      if (box.clientWidth > 0) setWide(box.clientWidth >= rem * textSize);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [element, rem]);
  return isWide;
}

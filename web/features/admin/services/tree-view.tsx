import { type MouseEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { cardClass } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';
import type { TreeRow } from './service-tree.ts';
import { treeKeys } from './tree-keys.ts';
import { type RowActions, TreeLine } from './tree-line.tsx';
import { useContainerWidth } from './use-container-width.ts';

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

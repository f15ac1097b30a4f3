import {
  type ComponentProps,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react';
import type { AdminService } from '#contract/catalogue.ts';
import { ServicePicture } from '#web/catalogue/service-text.tsx';
import { ActionMenu } from '#web/ui/action-menu.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { icon } from '#web/ui/drawing.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { useMedia } from '#web/ui/use-media.ts';
import type { TreeRow } from './service-tree.ts';

const PenIcon = icon('M4 20l1-5L16 4l4 4L9 19zM13.500 6.500l4 4');
const BinIcon = icon('M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6m4-6v6');
const MoveIcon = icon('M8 20V5M4 9l4-4 4 4M16 4v15m4-4l-4 4-4-4');
const NoteIcon = icon('M4 4h16v11l-5 5H4zM20 15h-5v5M8 9h8m-8 4h4');

interface RowActions {
  toggle: (id: number, open: boolean) => void;
  edit: (service: AdminService) => void;
  remove: (service: AdminService) => void;
  /** Opens the dialog for another place. */
  move: (service: AdminService) => void;
  moveBy: (service: AdminService, by: -1 | 1) => void;
}

/** The catalogue as a tree with one tab stop and arrow keys inside. A click opens a service's children, or its form. */
export function TreeView({
  rows,
  found,
  focusId,
  onFocused,
  actions,
}: {
  rows: readonly TreeRow[];
  /** The matches of a search. */
  found: ReadonlySet<number> | undefined;
  /** Gets the focus once it is rendered. */
  focusId: number | undefined;
  onFocused: () => void;
  actions: RowActions;
}) {
  const tree = useRef<HTMLDivElement>(null);
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
  const rowAt = (line: Element | null) =>
    rows.find(({ service }) => String(service.id) === (line as HTMLElement | null)?.dataset.service);
  const onClick = ({ target }: MouseEvent) => {
    if (!(target instanceof Element) || target.closest('button,[role="menu"]')) return;
    const row = rowAt(target.closest('[role="treeitem"]'));
    if (row) activate(row);
  };
  /** The keys of https://www.w3.org/WAI/ARIA/apg/patterns/treeview/, and Alt with an arrow to move a service. */
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const { target, key } = event;
    // Buttons in a row handle their own keys.
    const row = target instanceof HTMLElement && target.role === 'treeitem' ? rowAt(target) : undefined;
    if (!row || event.ctrlKey || event.metaKey) return;
    const at = rows.indexOf(row);
    const { id, parentId } = row.service;
    const goTo = (to: TreeRow | undefined) => to && focus(to.service.id);
    const arrow = { ArrowUp: -1, ArrowDown: 1 }[key] as -1 | 1 | undefined;
    if (event.altKey) {
      if (!arrow) return;
      actions.moveBy(row.service, arrow);
    } else if (arrow) goTo(rows[at + arrow]);
    else if (key === 'Home') goTo(rows[0]);
    else if (key === 'End') goTo(rows.at(-1));
    else if (key === 'ArrowRight' && row.children > 0) row.isOpen ? goTo(rows[at + 1]) : actions.toggle(id, true);
    else if (key === 'ArrowLeft' && row.isOpen) actions.toggle(id, false);
    else if (key === 'ArrowLeft') goTo(rows.find(({ service }) => service.id === parentId));
    else if (key === 'Enter' || key === ' ') activate(row);
    else if (key !== 'ArrowRight') return;
    event.preventDefault();
  };
  return (
    <div
      ref={tree}
      role="tree"
      aria-label="Services"
      onKeyDown={onKeyDown}
      onClick={onClick}
      className={join(cardClass, '@container')}
    >
      {rows.map((row) => (
        <TreeLine
          key={row.service.id}
          row={row}
          isFound={found?.has(row.service.id) === true}
          isActive={row.service.id === activeId}
          onFocus={setLastId}
          actions={actions}
        />
      ))}
    </div>
  );
}

interface LineProps {
  row: TreeRow;
  isFound: boolean;
  /** The only row in the tab order (roving tabindex). */
  isActive: boolean;
  onFocus: (id: number) => void;
  actions: RowActions;
}

function TreeLine({ row, isFound, isActive, onFocus, actions }: LineProps) {
  const { service, children, isOpen, isHiddenAbove } = row;
  const id = useId();
  const isWide = useMedia('(min-width: 36rem)');
  const isShown = service.isVisible && !isHiddenAbove;
  const note = service.operatorNote && `Note interne : ${service.operatorNote}`;
  return (
    <div
      role="treeitem"
      data-service={service.id}
      tabIndex={isActive ? 0 : -1}
      aria-level={service.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={children > 0 ? isOpen : undefined}
      aria-selected={isActive}
      aria-labelledby={id}
      aria-description={note || undefined}
      onFocus={() => onFocus(service.id)}
      style={{ '--depth': service.level - 1 } as CSSProperties}
      className={join(
        'relative flex min-h-13 cursor-pointer items-center gap-2 border-line border-b py-1.5 pr-2 pl-[calc(0.5rem+var(--depth)*var(--indent))] outline-offset-[-3px] first:rounded-t-card last:rounded-b-card last:border-b-0 [--indent:0.25rem] @3xs:[--indent:0.75rem] @lg:[--indent:1.25rem]',
        isShown ? 'hover:bg-ground' : 'bg-ground text-soft',
      )}
    >
      <span className="flex w-5 shrink-0 justify-center text-soft">
        {children > 0 && (
          <ChevronIcon className={join('size-4 transition-transform', isOpen && 'transform-[rotate(90deg)]')} />
        )}
      </span>
      <span className={join('hidden @3xs:flex', !isShown && 'opacity-50')}>
        <ServicePicture service={service} size="tiny" />
      </span>
      <div
        id={id}
        className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2 gap-y-0.5 pr-9 @lg:grid @lg:pr-0 @lg:grid-cols-[auto_minmax(0,1fr)] @2xl:grid-cols-[minmax(0,1fr)_auto] @2xl:gap-y-0"
      >
        <span
          className="wrap-anywhere col-span-2 line-clamp-3 grow font-semibold leading-tight @lg:line-clamp-1 @lg:text-sm @2xl:col-span-1"
          title={service.name}
        >
          <span className={isFound ? 'rounded-sm bg-amber-pale ring-1 ring-amber/40' : undefined}>{service.name}</span>
          {note && (
            <span aria-hidden="true" title={note} className="ml-1.5 inline-block align-[-0.2em]">
              <NoteIcon className="size-4 text-amber" />
            </span>
          )}
        </span>
        <span className="flex flex-wrap items-center gap-1 @3xs:whitespace-nowrap @lg:flex-nowrap @2xl:row-span-2 @2xl:justify-end [&>span]:px-2 [&>span]:text-xs">
          {!service.isVisible && <Badge tone="red">Masqué</Badge>}
          {service.isFinalLevel && <Badge tone="green">Service final</Badge>}
          <Badge>{`Niveau ${service.level}`}</Badge>
        </span>
        <Facts service={service} />
      </div>
      {isWide ? (
        <Buttons service={service} tabIndex={isActive ? 0 : -1} actions={actions} />
      ) : (
        <span className="absolute top-1 right-1">
          <Menu row={row} actions={actions} />
        </span>
      )}
    </div>
  );
}

/** The code and the description, as far as space allows. */
function Facts({ service: { phoneNumber, description } }: { service: AdminService }) {
  if (!phoneNumber && !description) return null;
  return (
    <span
      className={join('truncate text-soft text-xs @max-lg:basis-full', phoneNumber === null && '@max-3xs:hidden')}
      title={[phoneNumber, description].filter(Boolean).join(' · ')}
    >
      {phoneNumber && <span className="font-mono">{phoneNumber}</span>}
      {phoneNumber && description && <span> · </span>}
      <span>{description}</span>
    </span>
  );
}

function Buttons({ service, tabIndex, actions }: { service: AdminService; tabIndex: number; actions: RowActions }) {
  const { name } = service;
  return (
    <span className="flex">
      <IconButton tabIndex={tabIndex} aria-label={`Modifier ${name}`} onClick={() => actions.edit(service)}>
        <PenIcon className="size-5" />
      </IconButton>
      <IconButton tabIndex={tabIndex} aria-label={`Déplacer ${name}`} onClick={() => actions.move(service)}>
        <MoveIcon className="size-5" />
      </IconButton>
      <IconButton tabIndex={tabIndex} aria-label={`Supprimer ${name}`} onClick={() => actions.remove(service)}>
        <BinIcon className="size-5" />
      </IconButton>
    </span>
  );
}

function IconButton(button: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      title={button['aria-label']}
      className="flex h-9 w-11 items-center justify-center rounded-lg text-soft short:h-11 hover:bg-leaf-pale hover:text-ink"
      {...button}
    />
  );
}

function Menu({ row: { service, position, siblings }, actions }: { row: TreeRow; actions: RowActions }) {
  const choose = {
    edit: () => actions.edit(service),
    up: () => actions.moveBy(service, -1),
    down: () => actions.moveBy(service, 1),
    move: () => actions.move(service),
    remove: () => actions.remove(service),
  };
  return (
    <ActionMenu
      label={`Actions pour ${service.name}`}
      items={[
        { name: 'edit', label: 'Modifier' },
        ...(position > 1 ? [{ name: 'up', label: 'Monter' } as const] : []),
        ...(position < siblings ? [{ name: 'down', label: 'Descendre' } as const] : []),
        { name: 'move', label: 'Déplacer' },
        { name: 'remove', label: 'Supprimer', tone: 'danger' },
      ]}
      onChoose={(name) => choose[name]()}
    />
  );
}

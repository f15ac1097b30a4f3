import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { type ComponentProps, type CSSProperties, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { AdminService } from '#contract/catalogue.ts';
import { ServicePicture } from '#web/catalogue/service-text.tsx';
import { ActionMenu } from '#web/ui/action-menu.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Drawing, icon } from '#web/ui/drawing.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { type Place, placeAt } from './moves.ts';
import { markedParts } from './search-services.ts';
import type { TreeRow } from './service-tree.ts';

const PenIcon = icon('M4 20l1-5L16 4l4 4L9 19zM13.500 6.500l4 4');
const BinIcon = icon('M4 7h16M9 7V4h6v3M6 7l1 14h10l1-14M10 11v6m4-6v6');
const NoteIcon = icon('M4 4h16v11l-5 5H4zM20 15h-5v5M8 9h8m-8 4h4');

export interface RowActions extends DropActions {
  edit: (service: AdminService) => void;
  remove: (service: AdminService) => void;
  /** Opens the dialog for another place. */
  place: (service: AdminService) => void;
  moveBy: (row: TreeRow, by: -1 | 1) => void;
}

interface Props {
  row: TreeRow;
  words: readonly string[];
  /** The only row in the tab order (roving tabindex). */
  isActive: boolean;
  isEdited: boolean;
  isReparenting: boolean;
  isWide: boolean;
  onFocus: (id: number) => void;
  actions: RowActions;
}

export function TreeLine({ row, words, isActive, isEdited, isReparenting, isWide, onFocus, actions }: Props) {
  const { service, children, isOpen, isHiddenAbove } = row;
  const id = useId();
  const drag = useRowDrag(row, actions);
  const isShown = service.isVisible && !isHiddenAbove;
  return (
    <div
      ref={drag.row}
      role="treeitem"
      data-service={service.id}
      tabIndex={isActive ? 0 : -1}
      aria-level={service.level}
      aria-posinset={row.position}
      aria-setsize={row.siblings}
      aria-expanded={children > 0 ? isOpen : undefined}
      aria-selected={isEdited}
      aria-labelledby={id}
      aria-description={service.operatorNote ? `Note interne : ${service.operatorNote}` : undefined}
      onFocus={() => onFocus(service.id)}
      style={{ '--depth': service.level - 1 } as CSSProperties}
      className={join(
        'relative flex min-h-13 cursor-pointer items-center gap-2 border-line border-b py-1.5 pr-2 pl-[calc(0.5rem+var(--depth)*var(--indent))] outline-offset-[-3px] first:rounded-t-card last:rounded-b-card last:border-b-0 [--indent:0.25rem] @3xs:[--indent:0.75rem] @lg:[--indent:1.25rem]',
        isEdited ? 'bg-leaf-pale' : isShown ? 'hover:bg-ground' : 'bg-ground',
        !isShown && 'text-soft',
        (drag.isDragged || isReparenting) && 'opacity-40',
        drag.held?.place === 'inside' &&
          (drag.held.isRefused ? 'ring-2 ring-brick ring-inset' : 'ring-2 ring-leaf ring-inset'),
      )}
    >
      {drag.held && drag.held.place !== 'inside' && <DropLine {...drag.held} />}
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
          <MarkedText text={service.name} words={words} />
          {service.operatorNote && (
            <span
              aria-hidden="true"
              title={`Note interne : ${service.operatorNote}`}
              className="ml-1.5 inline-block align-[-0.2em]"
            >
              <NoteIcon className="size-4 text-amber" />
            </span>
          )}
        </span>
        <Badges service={service} />
        <Facts service={service} words={words} />
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

function DropLine({ place, isRefused }: { place: string; isRefused: boolean }) {
  return (
    <span
      className={join(
        'pointer-events-none absolute right-0 left-[calc(0.5rem+var(--depth)*var(--indent))] z-10 h-[3px] rounded-full',
        place === 'before' ? '-top-[2px]' : '-bottom-[2px]',
        isRefused ? 'bg-brick' : 'bg-leaf',
      )}
    />
  );
}

function Badges({ service }: { service: AdminService }) {
  return (
    <span className="flex flex-wrap items-center gap-1 @3xs:whitespace-nowrap @lg:flex-nowrap @2xl:row-span-2 @2xl:justify-end [&>span]:px-2 [&>span]:text-xs">
      {!service.isVisible && <Badge tone="red">Masqué</Badge>}
      {service.isFinalLevel && <Badge tone="green">Service final</Badge>}
      <Badge>{`Niveau ${service.level}`}</Badge>
    </span>
  );
}

/** The code and the visitors' price and description, as far as space allows. */
function Facts({ service, words }: { service: AdminService; words: readonly string[] }) {
  const { phoneNumber, description } = service;
  if (!phoneNumber && !description) return null;
  return (
    <span
      className={join('truncate text-soft text-xs @max-lg:basis-full', phoneNumber === null && '@max-3xs:hidden')}
      title={[phoneNumber, description].filter(Boolean).join(' · ')}
    >
      {phoneNumber && (
        <span className="font-mono">
          <MarkedText text={phoneNumber} words={words} />
        </span>
      )}
      {phoneNumber && description && <span> · </span>}
      <MarkedText text={description} words={words} />
    </span>
  );
}

function Buttons({ service, tabIndex, actions }: { service: AdminService; tabIndex: number; actions: RowActions }) {
  return (
    <span className="flex">
      <IconButton tabIndex={tabIndex} aria-label={`Modifier ${service.name}`} onClick={() => actions.edit(service)}>
        <PenIcon className="size-5" />
      </IconButton>
      <IconButton tabIndex={tabIndex} aria-label={`Supprimer ${service.name}`} onClick={() => actions.remove(service)}>
        <BinIcon className="size-5" />
      </IconButton>
      <IconButton
        tabIndex={tabIndex}
        aria-label={`Déplacer ${service.name}`}
        className="cursor-grab"
        onClick={() => actions.place(service)}
      >
        <Drawing className="size-5">
          <path d="M9 6h.01M9 12h.01M9 18h.01M15 6h.01M15 12h.01M15 18h.01" strokeWidth="3" />
        </Drawing>
      </IconButton>
    </span>
  );
}

function IconButton({ className, ...button }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      title={button['aria-label']}
      className={join(
        'flex h-9 w-11 items-center justify-center rounded-lg text-soft short:h-11 hover:bg-leaf-pale hover:text-ink',
        className,
      )}
      {...button}
    />
  );
}

function Menu({ row, actions }: { row: TreeRow; actions: RowActions }) {
  const { service, position, siblings } = row;
  const choose = {
    edit: () => actions.edit(service),
    up: () => actions.moveBy(row, -1),
    down: () => actions.moveBy(row, 1),
    place: () => actions.place(service),
    remove: () => actions.remove(service),
  };
  return (
    <ActionMenu
      label={`Actions pour ${service.name}`}
      items={[
        { name: 'edit', label: 'Modifier' },
        ...(position > 1 ? [{ name: 'up', label: 'Monter' } as const] : []),
        ...(position < siblings ? [{ name: 'down', label: 'Descendre' } as const] : []),
        { name: 'place', label: 'Déplacer' },
        { name: 'remove', label: 'Supprimer', tone: 'danger' },
      ]}
      onChoose={(name) => choose[name]()}
    />
  );
}

function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return <span>{text}</span>;
  return markedParts(text, words).map((part, index) =>
    part.isFound ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place alone
      <mark key={index} className="rounded-sm bg-amber-pale text-inherit ring-1 ring-amber/40">
        {part.text}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: as above
      <span key={index}>{part.text}</span>
    ),
  );
}

/** Milliseconds over a closed service before it opens. */
const openAfterMs = 700;

interface Held {
  place: Place;
  /** The drop is not allowed here. */
  isRefused: boolean;
}

interface DropActions {
  mayDrop: (id: number, target: { id: number; place: Place }) => boolean;
  drop: (id: number, target: { id: number; place: Place }) => void;
  toggle: (id: number, open: boolean) => void;
}

/** Makes a row of the tree draggable and a drop target. Returns the state of a drag over it. */
function useRowDrag({ service, isOpen, children }: TreeRow, actions: DropActions) {
  const { id, isFinalLevel } = service;
  const row = useRef<HTMLDivElement>(null);
  const [isDragged, setDragged] = useState(false);
  const [held, setHeld] = useState<Held>();

  const targetAt = useEffectEvent((clientY: number) => {
    const box = row.current?.getBoundingClientRect();
    const share = box ? (clientY - box.top) / box.height : 0;
    return { id, place: placeAt(share, { isFinal: isFinalLevel, isOpen }) };
  });
  const hold = useEffectEvent((dragged: number, clientY: number) => {
    const target = targetAt(clientY);
    const isRefused = !actions.mayDrop(dragged, target);
    setHeld((now) => (now?.place === target.place && now.isRefused === isRefused ? now : { ...target, isRefused }));
  });
  const drop = useEffectEvent((dragged: number, clientY: number) => actions.drop(dragged, targetAt(clientY)));
  const open = useEffectEvent(() => actions.toggle(id, true));

  useEffect(() => {
    const element = row.current;
    if (!element) return;
    const stops = [
      draggable({
        element,
        getInitialData: () => ({ serviceId: id }),
        onDragStart: () => setDragged(true),
        onDrop: () => setDragged(false),
      }),
      dropTargetForElements({
        element,
        canDrop: ({ source }) => typeof source.data.serviceId === 'number' && source.data.serviceId !== id,
        onDragEnter: ({ source, location }) => hold(Number(source.data.serviceId), location.current.input.clientY),
        onDrag: ({ source, location }) => hold(Number(source.data.serviceId), location.current.input.clientY),
        onDragLeave: () => setHeld(undefined),
        onDrop: ({ source, location }) => {
          setHeld(undefined);
          drop(Number(source.data.serviceId), location.current.input.clientY);
        },
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [id]);

  const opens = held?.place === 'inside' && !isOpen && children > 0;
  useEffect(() => {
    if (!opens) return;
    const timer = setTimeout(() => open(), openAfterMs);
    return () => clearTimeout(timer);
  }, [opens]);

  return { row, isDragged, held };
}

import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/adapter/element-adapter';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { type Place, placeAt } from './move-service.ts';
import type { TreeRow } from './service-tree.ts';

/** Milliseconds over a closed service before it opens. */
const openAfterMs = 700;

interface Held {
  place: Place;
  /** The drop is not allowed here. */
  isRefused: boolean;
}

export interface DropActions {
  mayDrop: (id: number, target: { id: number; place: Place }) => boolean;
  drop: (id: number, target: { id: number; place: Place }) => void;
  toggle: (id: number, open: boolean) => void;
}

/** Makes a row of the tree draggable and a drop target. Returns the state of a drag over it. */
export function useRowDrag({ service, isOpen, children }: TreeRow, actions: DropActions) {
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

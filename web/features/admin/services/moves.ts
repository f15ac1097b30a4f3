import { useRef, useState } from 'react';
import { type AdminService, listAllServices, reorderServices, updateService } from '#contract/catalogue.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { newerVersion, type Orders, type ServiceTree } from './service-tree.ts';

/** A drop position relative to a service. */
export type Place = 'before' | 'inside' | 'after';

export interface Move {
  id: number;
  parentId: number | null;
  /** The ids of the parent's children after the move, in order. */
  ids: number[];
  /** The ids of the parent's children before it. */
  expectedIds: number[];
}

/** The move that puts a service beside or into another one; `undefined` if it is already there. */
export function moveTo(tree: ServiceTree, id: number, target: { id: number; place: Place }): Move | undefined {
  const service = tree.byId.get(id);
  const other = tree.byId.get(target.id);
  if (!service || !other || service === other) return undefined;
  const parentId = target.place === 'inside' ? other.id : other.parentId;
  const before = tree.childrenOf(parentId).map((each) => each.id);
  const rest = before.filter((each) => each !== id);
  const at = target.place === 'inside' ? rest.length : rest.indexOf(other.id) + (target.place === 'after' ? 1 : 0);
  const ids = [...rest.slice(0, at), id, ...rest.slice(at)];
  return parentId === service.parentId && ids.every((each, index) => each === before[index])
    ? undefined
    : { id, parentId, ids, expectedIds: before };
}

/** The move that swaps a service with its neighbour among the siblings in `shown`; `undefined` at the end. */
export function moveBy(tree: ServiceTree, id: number, by: -1 | 1, shown: readonly number[]): Move | undefined {
  const neighbour = shown[shown.indexOf(id) + by];
  if (!shown.includes(id) || neighbour === undefined) return undefined;
  return moveTo(tree, id, { id: neighbour, place: by < 0 ? 'before' : 'after' });
}

/** The drop position on a row of the tree; `share` is the vertical position in the row, from 0 to 1. */
export function placeAt(share: number, line: { isFinal: boolean; isOpen: boolean }): Place {
  if (line.isFinal) return share < 0.5 ? 'before' : 'after';
  if (share < 0.3) return 'before';
  // Below an open service come its children.
  return share > 0.7 && !line.isOpen ? 'after' : 'inside';
}

/**
 * Moves services. A new order is drawn at once, and its call queued behind the previous one, so that keys may repeat. A
 * refusal restores the server's order.
 */
export function useMoves({ onMoved }: { onMoved: (services: AdminService[]) => void }) {
  const call = useCall();
  const refresh = useRefresh();
  const toastFailure = useFailureToast();
  const [orders, setOrders] = useState<Orders>(new Map());
  const [reparentingId, setReparentingId] = useState<number>();
  const waiting = useRef<Move[]>([]);
  const sending = useRef<Promise<void>>(undefined);
  /** Versions from own moves, which may be newer than the last poll. */
  const own = useRef(new Map<number, string>());

  const recordMoved = (services: AdminService[]) => {
    for (const { id, updatedAt } of services) own.current.set(id, updatedAt);
    onMoved(services);
  };
  const send = async ({ parentId, ids, expectedIds }: Move) =>
    recordMoved(await call(reorderServices, { body: { parentId, ids, expectedIds } }));
  const sendWaiting = async () => {
    try {
      while (waiting.current.length > 0) {
        for (let next = waiting.current.shift(); next; next = waiting.current.shift()) await send(next);
        await refresh(listAllServices);
      }
    } catch (error) {
      waiting.current = [];
      setOrders(new Map());
      toastFailure(error, { fallback: "L'ordre n'a pas pu être enregistré." });
      await refresh(listAllServices);
    } finally {
      sending.current = undefined;
      setOrders(new Map());
    }
  };

  return {
    orders,
    /** The service being moved to another parent. */
    reparentingId,
    reorder(move: Move) {
      setOrders((before) => new Map(before).set(move.parentId, move.ids));
      // Of one parent's queued orders only the last is sent, with the first one's expected order.
      const isOther = ({ parentId }: Move) => parentId !== move.parentId;
      const { expectedIds } = waiting.current.find((each) => !isOther(each)) ?? move;
      waiting.current = [...waiting.current.filter(isOther), { ...move, expectedIds }];
      sending.current ??= sendWaiting();
    },
    /** Moves a service under another parent; resolves with whether it moved. */
    async reparent(move: Move, { id, updatedAt }: AdminService): Promise<boolean> {
      setReparentingId(id);
      try {
        await sending.current;
        const expectedUpdatedAt = newerVersion(updatedAt, own.current.get(id));
        const body = { parentId: move.parentId, expectedUpdatedAt };
        recordMoved([await call(updateService, { params: { id: String(id) }, body })]);
        await send(move);
        return true;
      } catch (error) {
        toastFailure(error, { fallback: "Le service n'a pas pu être déplacé." });
        return false;
      } finally {
        await refresh(listAllServices);
        setReparentingId(undefined);
      }
    },
  };
}

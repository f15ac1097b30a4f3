import { useRef, useState } from 'react';
import { type AdminService, listAllServices, reorderServices, updateService } from '#contract/catalogue.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import type { Move } from './move-service.ts';
import { newerVersion, type Orders } from './service-tree.ts';

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
      toastFailure(error, { fallback: 'L’ordre n’a pas pu être enregistré.' });
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
        toastFailure(error, { fallback: 'Le service n’a pas pu être déplacé.' });
        return false;
      } finally {
        await refresh(listAllServices);
        setReparentingId(undefined);
      }
    },
  };
}

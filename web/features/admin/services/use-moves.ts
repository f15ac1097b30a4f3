import { useRef, useState } from 'react';
import { type AdminService, listAllServices, reorderServices, updateService } from '#contract/catalogue.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import type { Move } from './move-service.ts';
import { newerVersion, type Orders } from './service-tree.ts';

/**
 * Moves services. A new order is drawn at once and sent behind the one before it, so that a key may be pressed several
 * times; where the server refuses, all is drawn again as it is.
 */
export function useMoves({ onMoved }: { onMoved: (services: AdminService[]) => void }) {
  const call = useCall();
  const refresh = useRefresh();
  const toastFailure = useFailureToast();
  const [orders, setOrders] = useState<Orders>(new Map());
  const [hanging, setHanging] = useState<number>();
  const waiting = useRef<Move[]>([]);
  const sending = useRef<Promise<void>>(undefined);
  /** Versions by own moves, which may be newer than the last poll. */
  const own = useRef(new Map<number, string>());

  const noteMoved = (services: AdminService[]) => {
    for (const { id, updatedAt } of services) own.current.set(id, updatedAt);
    onMoved(services);
  };
  const send = async ({ parentId, ids, expectedIds }: Move) =>
    noteMoved(await call(reorderServices, { body: { parentId, ids, expectedIds } }));
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
    /** The service that is on its way to another parent. */
    hanging,
    /** Among its siblings. */
    reorder(move: Move) {
      setOrders((before) => new Map(before).set(move.parentId, move.ids));
      // Of the orders of one parent only the last one counts, made from what the first was made from.
      const isOther = ({ parentId }: Move) => parentId !== move.parentId;
      const { expectedIds } = waiting.current.find((each) => !isOther(each)) ?? move;
      waiting.current = [...waiting.current.filter(isOther), { ...move, expectedIds }];
      sending.current ??= sendWaiting();
    },
    /** Under another parent; answers whether it stands there. */
    async hang(move: Move, { id, updatedAt }: AdminService): Promise<boolean> {
      setHanging(id);
      try {
        await sending.current;
        const expectedUpdatedAt = newerVersion(updatedAt, own.current.get(id));
        const body = { parentId: move.parentId, expectedUpdatedAt };
        noteMoved([await call(updateService, { params: { id: String(id) }, body })]);
        await send(move);
        return true;
      } catch (error) {
        toastFailure(error, { fallback: 'Le service n’a pas pu être déplacé.' });
        return false;
      } finally {
        await refresh(listAllServices);
        setHanging(undefined);
      }
    },
  };
}

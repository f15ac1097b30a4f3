import { useEffect, useState } from 'react';
import { listCatalogue, type Service } from '#contract/catalogue.ts';
import { addresses, levelAddress } from '#web/addresses.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { startOrderDraft } from '#web/order-draft.ts';
import { navigate } from '#web/router.tsx';
import { whenIdle } from '#web/shell/when-idle.ts';
import { useToast } from '#web/ui/toast.tsx';

/** Sentences for loading and failed services. */
export const loading = 'Chargement des services...';
export const failure = 'Impossible de charger les services.';

/** The children of a service, or the roots, from the whole catalogue if it is loaded. */
export function childrenIn(catalogue: Service[] | undefined, parentId: number | undefined): Service[] | undefined {
  return catalogue?.filter((service) => service.parentId === (parentId ?? null));
}

/** Whether a service of a catalogue that is known is neither final nor has anything below it. */
export const leadsNowhere = ({ id, isFinalLevel }: Service, catalogue: Service[] | undefined): boolean =>
  catalogue !== undefined && !isFinalLevel && catalogue.every(({ parentId }) => parentId !== id);

/** The whole catalogue, fetched on demand, or earlier when the phone is idle. */
export function useCatalogue({ wanted }: { wanted: boolean }) {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    let left = false;
    whenIdle(() => left || setIdle(true));
    return () => {
      left = true;
    };
  }, []);
  return useEndpoint(listCatalogue, {}, { freshForMs: freshForMs.services, enabled: wanted || idle, keep: true });
}

/** Opens the last service of a path: its level, or the order of a final one. */
export function useOpen() {
  const toast = useToast();
  return (path: readonly Service[], { replace = false } = {}) => {
    const service = path.at(-1);
    if (!service?.isFinalLevel) return navigate(levelAddress(path.map(({ id }) => id)));
    startOrderDraft([...path]);
    toast({ title: 'Service sélectionné' });
    navigate(addresses.summary, { replace });
  };
}

import { useEffect, useState } from 'react';
import { listCatalogue, type Service } from '#contract/catalogue.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { whenIdle } from '#web/shell/when-idle.ts';

/** The children of a service, or the roots, from the whole catalogue if it is loaded. */
export function childrenIn(catalogue: Service[] | undefined, parentId: number | undefined): Service[] | undefined {
  return catalogue?.filter((service) => service.parentId === (parentId ?? null));
}

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

import { useEffect, useState } from 'react';
import { listCatalogue, type Service } from '#contract/catalogue.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { whenIdle } from '#web/shell/when-idle.ts';

/** What stands right under a service, or at the top, as far as the whole catalogue is there. */
export function childrenIn(catalogue: Service[] | undefined, parentId: number | undefined): Service[] | undefined {
  return catalogue?.filter((service) => service.parentId === (parentId ?? null));
}

/** The whole catalogue, asked for once it is wanted, or before that when the phone has nothing else to do. */
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

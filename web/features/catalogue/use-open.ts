import type { Service } from '#contract/catalogue.ts';
import { addresses, levelAddress } from '#web/addresses.ts';
import { startOrderDraft } from '#web/order-draft.ts';
import { navigate } from '#web/router.tsx';
import { useToast } from '#web/ui/toast.tsx';

/** Opens the last service of a path: its level, or the order of a final one. */
export function useOpen() {
  const toast = useToast();
  return (path: readonly Service[]) => {
    const service = path.at(-1);
    if (!service?.isFinalLevel) return navigate(levelAddress(path.map(({ id }) => id)));
    startOrderDraft([...path]);
    toast({ title: 'Service sélectionné' });
    navigate(addresses.summary);
  };
}

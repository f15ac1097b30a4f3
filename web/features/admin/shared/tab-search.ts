import { createContext, use, useCallback, useMemo } from 'react';
import { useLocation } from 'wouter';
import { adminTabAddress, readAdminTab } from '#web/addresses.ts';

/** The query of the tab, also while another tab is shown. */
export const TabSearchContext = createContext('');

/**
 * What a tab shows, as its address says it: filters, and what is open. `set` changes some of it; an empty value is left out.
 * Something opened is a step that the browser's back button undoes, a filter is not.
 */
export function useTabSearch() {
  const search = use(TabSearchContext);
  const [path, navigate] = useLocation();
  const values = useMemo(() => new URLSearchParams(search), [search]);
  const set = useCallback(
    (changes: Record<string, string | undefined>, { step = false }: { step?: boolean } = {}) => {
      const next = new URLSearchParams(search);
      for (const [name, value] of Object.entries(changes))
        if (value) next.set(name, value);
        else next.delete(name);
      const tab = readAdminTab(path);
      if (tab) navigate(adminTabAddress(tab, next.toString()), { replace: !step });
    },
    [search, path, navigate],
  );
  return { values, set };
}

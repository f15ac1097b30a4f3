import { createContext, use, useCallback, useMemo } from 'react';
import { largestId, searchLength } from '#contract/shapes.ts';
import { adminTabAddress, readAdminTab } from '#web/admin-addresses.ts';
import { navigate, usePath } from '#web/router.tsx';

/** The tab's query, also while another tab is shown. */
export const TabSearchContext = createContext('');

/**
 * The state of a tab in its address: filters and the opened row. `set` changes some of it; empty values are omitted.
 * Opening adds a history entry, filtering does not.
 */
export function useTabSearch() {
  const search = use(TabSearchContext);
  const path = usePath();
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
    [search, path],
  );
  return { values, set };
}

/** A row's number in a tab's address, which anybody types; undefined of what is none. */
export function readNumber(values: URLSearchParams, name: string): number | undefined {
  const number = Number(values.get(name));
  return Number.isInteger(number) && number > 0 && number <= largestId ? number : undefined;
}

/** The words that a tab's address looks for; none where no search takes them. */
export function readWords(values: URLSearchParams, most: number = searchLength): string {
  const words = values.get('recherche') ?? '';
  return words.length > most || words.includes('\0') ? '' : words;
}

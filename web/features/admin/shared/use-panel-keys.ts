import { useRef } from 'react';
import { adminTabAddress, ticketQueueAddress } from '#web/admin-addresses.ts';
import { navigate } from '#web/router.tsx';
import { useKeys } from './keys.tsx';

/** After G, for so long, the second key leads somewhere. */
const secondKeyMs = 1_500;
const places: Partial<Record<string, string>> = {
  t: adminTabAddress('tickets'),
  q: ticketQueueAddress,
  p: adminTabAddress('payments'),
};

/** The keys of the whole panel: '/' leads to the shown search, '?' shows the list of keys, G and a letter lead to a tab. */
export function usePanelKeys(onList: () => void): void {
  const goUntil = useRef(0);
  useKeys((key, event) => {
    const to = performance.now() < goUntil.current && places[key];
    goUntil.current = key === 'g' ? performance.now() + secondKeyMs : 0;
    if (to) navigate(to);
    else if (key === '?') onList();
    else if (key.startsWith('/')) {
      const fields = [...document.querySelectorAll<HTMLInputElement>('main input[type="search"]')];
      const field = fields.find((each) => each.offsetParent);
      if (!field) return;
      // The sign is not typed, nor searched by the browser.
      event.preventDefault();
      field.select();
    }
  });
}

import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useLayoutEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';
import { notifyMoved, readEntry, rewind } from './ui/history-entry.ts';

const PlaceContext = createContext({ path: '', search: '' });

/** Renders its children when the address changes, all at once. */
export function Router({ children }: { children: ReactNode }) {
  const href = useSyncExternalStore(
    (onMove) => {
      const arrive = (event: Event) => {
        const { left, ...entry } = readEntry();
        if (left && event.isTrusted) history.replaceState(entry, '');
        onMove();
      };
      addEventListener('popstate', arrive);
      return () => removeEventListener('popstate', arrive);
    },
    () => location.pathname + location.search,
  );
  const place = useMemo(() => {
    const [path = '', search = ''] = href.split(/\?(.*)/s);
    return { path, search };
  }, [href]);
  return <PlaceContext value={place}>{children}</PlaceContext>;
}

/** The path of the address. */
export const usePath = () => use(PlaceContext).path;

/** The address's query, without its question mark. */
export const useSearch = () => use(PlaceContext).search;

/** The second segment of an address such as '/notification/12'. */
export function useSubject(): string {
  const [, , subject = ''] = usePath().split('/');
  try {
    return decodeURIComponent(subject);
  } catch {
    return subject;
  }
}

/** Navigates within the app. A `step` belongs to a sequence that `leaveSteps` removes from the history. */
export function navigate(to: string, { replace, step }: { replace?: boolean; step?: boolean } = {}): void {
  const { depth, start, at, over } = readEntry();
  if (over) {
    // What a dialog leads to stands behind its page.
    rewind(over, () => navigate(to, { replace, step }));
    return;
  }
  // A link to the current address would make the next press of the back button do nothing.
  if (replace || to === location.pathname + location.search + location.hash)
    history.replaceState({ depth, start, at }, '', to);
  else history.pushState({ depth: depth + 1, start: step ? (start ?? depth) : undefined, at: Date.now() }, '', to);
  notifyMoved();
}

/** Navigates on from a sequence of steps and removes them from the history; `onArrival` is called just before. */
export function leaveSteps(to: string, onArrival?: () => void): void {
  const { depth, start = depth, over = 0 } = readEntry();
  const arrive = () => {
    onArrival?.();
    navigate(to, { replace: true });
  };
  const count = depth - start + over;
  if (count === 0) arrive();
  else rewind(count, arrive);
}

/** Of a page that begins: the dialogs that were open before it was loaded again are not. */
export function leaveClosedDialogs(): void {
  const { left: _, over = 0, ...entry } = readEntry();
  if (over === 0) return;
  history.replaceState({ ...entry, over }, '');
  rewind(over, notifyMoved);
}

/** Goes back as the phone's button does, or to the screen above if the history has no earlier entry of the app. */
export function goBack(above: string): void {
  if (readEntry().depth > 0) history.back();
  else navigate(above, { replace: true });
}

export function Link({ href, step, onClick, ...rest }: ComponentProps<'a'> & { href: string; step?: boolean }) {
  return (
    <a
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey)
          return;
        event.preventDefault();
        navigate(href, { step: step === true });
      }}
      {...rest}
    />
  );
}

/** Replaces an address that has no screen. */
export function Redirect({ to }: { to: string }) {
  useLayoutEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}

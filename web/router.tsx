import {
  type ComponentProps,
  createContext,
  type ReactNode,
  use,
  useLayoutEffect,
  useMemo,
  useSyncExternalStore,
} from 'react';

/** What an entry of the tab's history carries. */
interface Entry {
  /** How many entries before it are the app's own: whether there is a way back. */
  depth: number;
  /** The depth at which the steps began that this entry is one of, such as those of a sign-up. */
  start?: number;
  /** When it was made, which no other entry of the tab shares. */
  at: number;
}

const PlaceContext = createContext({ path: '', search: '' });

/** The browser announces going back and forward, and nothing else. */
const tellMoved = () => dispatchEvent(new Event('popstate'));

export const readEntry = () => (history.state as Entry | null) ?? { depth: 0, at: 0 };

/** Has all that stands in it drawn again when the address changes, at once and together. */
export function Router({ children }: { children: ReactNode }) {
  const href = useSyncExternalStore(
    (onMove) => {
      addEventListener('popstate', onMove);
      return () => removeEventListener('popstate', onMove);
    },
    () => location.pathname + location.search,
  );
  const place = useMemo(() => {
    const [path = '', search = ''] = href.split(/\?(.*)/s);
    return { path, search };
  }, [href]);
  return <PlaceContext value={place}>{children}</PlaceContext>;
}

/** The address, as far as its query. */
export const usePath = () => use(PlaceContext).path;

/** The address's query, without its question mark. */
export const useSearch = () => use(PlaceContext).search;

/** What an address such as '/notification/12' is of: what stands after its first word. */
export function useSubject(): string {
  const [, , subject = ''] = usePath().split('/');
  try {
    return decodeURIComponent(subject);
  } catch {
    return subject;
  }
}

/**
 * Goes to an address of the app. With `replace` the screen that is left is none to go back to. A `step` belongs to something
 * that `leaveSteps` ends, with those taken before it.
 */
export function navigate(to: string, { replace, step }: { replace?: boolean; step?: boolean } = {}): void {
  const { depth, start, at } = readEntry();
  // A link to where one is already would make the next press of the back button do nothing.
  if (replace || to === location.pathname + location.search + location.hash)
    history.replaceState({ depth, start, at }, '', to);
  else history.pushState({ depth: depth + 1, start: step ? (start ?? depth) : undefined, at: Date.now() }, '', to);
  tellMoved();
}

/** Goes on after the last of some steps, none of which is left in the history then; `onArrival` is called just before. */
export function leaveSteps(to: string, onArrival?: () => void): void {
  const { depth, start = depth } = readEntry();
  const arrive = (event?: Event) => {
    // Captured, so that a screen that is only passed is not drawn.
    event?.stopImmediatePropagation();
    onArrival?.();
    navigate(to, { replace: true });
  };
  if (start === depth) arrive();
  else {
    addEventListener('popstate', arrive, { once: true, capture: true });
    history.go(start - depth);
  }
}

/** Goes back as the phone's button does, or to the screen above where there is nothing of the app to go back to. */
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

/** Leads on from an address that has nothing to show; it is none to go back to. */
export function Redirect({ to }: { to: string }) {
  useLayoutEffect(() => navigate(to, { replace: true }), [to]);
  return null;
}

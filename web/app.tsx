import { useEffect, useLayoutEffect, useState } from 'react';
import type { User } from '#contract/users.ts';
import { AuthPage, signUpForm } from '#web/features/auth/auth-page.tsx';
import { AuthProvider, useAuth } from '#web/session/auth.tsx';
import { FullScreenSpinner } from '#web/ui/spinner.tsx';
import { ToastProvider } from '#web/ui/toast.tsx';
import { addresses, adminAddresses, adminCounterpart, codeAddresses, matchAny, userAddresses } from './addresses.ts';
import { Redirect, Router, usePath } from './router.tsx';
import { Boundary, Chunk, type Part, part } from './shell/chunk.tsx';
import { Frame } from './shell/frame.tsx';
import { whenIdle } from './shell/when-idle.ts';

const waiting = <FullScreenSpinner brand="Guichet" />;
const codeScreens = part(() => import('#web/features/auth/code-screens.tsx'));
const userScreens = part(() => import('./user-screens.tsx'));
const adminPanel = part(() => import('#web/features/admin/admin-panel.tsx'));
const notFoundPage = part(() => import('./shell/not-found-page.tsx'));
const contentPage = part(() => import('#web/features/content-pages/content-page.tsx'));
const receiptPage = part(() => import('#web/features/receipts/receipt-page.tsx'));

const deferredShell = part(() => import('./shell/deferred-shell.tsx'));

/** The screens that people probably open next. */
function nextParts(user: User | undefined): Pick<Part, 'fetch'>[] {
  if (user?.isAdmin) return [];
  return user && !user.isGuest ? [] : [signUpForm, userScreens, codeScreens, contentPage];
}

/** Fetches the next screens ahead, so that they open even if the connection drops. */
function useNextParts(): void {
  const { user, loading } = useAuth();
  useEffect(() => {
    if (!loading)
      whenIdle(() => {
        for (const next of nextParts(user)) next.fetch().catch(() => {});
      });
  }, [user, loading]);
}

/** Loaded when idle, and optional. */
function DeferredShell() {
  const [isThere, setThere] = useState(false);
  useEffect(
    () =>
      whenIdle(() =>
        deferredShell.fetch().then(
          () => setThere(true),
          () => {},
        ),
      ),
    [],
  );
  return isThere && deferredShell.component && <deferredShell.component />;
}

function UserRoute() {
  const { user } = useAuth();
  const path = usePath();
  // An administrator does not land on a visitor's screen by accident.
  if (user?.isAdmin) return <Redirect to={adminCounterpart(path)} />;
  if (path !== addresses.home) return <Chunk isPage of={userScreens} waiting={waiting} />;
  return user ? <Chunk isPage of={userScreens} waiting={waiting} /> : <AuthPage />;
}

function Screens() {
  useNextParts();
  const { user, loading } = useAuth();
  const path = usePath();
  const isAt = (group: Record<string, string>) => matchAny(group).test(path);
  // A person's own screens and the panel have places of their own.
  const hasBar = user && !user.isAdmin;
  const keepsPlace =
    user && (isAt(userAddresses) || isAt(adminAddresses) || (hasBar && isAt({ content: addresses.content })));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is another screen
  useLayoutEffect(() => {
    if (!keepsPlace) scrollTo(0, 0);
  }, [keepsPlace, path]);
  if (loading) return waiting;
  if (isAt(userAddresses)) return <UserRoute />;
  if (isAt({ auth: addresses.auth })) return user && !user.isGuest ? <Redirect to={addresses.home} /> : <AuthPage />;
  if (isAt(codeAddresses)) return <Chunk isPage of={codeScreens} waiting={waiting} />;
  if (isAt(adminAddresses))
    return user?.isAdmin ? <Chunk isPage of={adminPanel} waiting={waiting} /> : <Redirect to={addresses.home} />;
  if (isAt({ receipt: addresses.receipt })) return <Chunk isPage of={receiptPage} waiting={waiting} />;
  if (hasBar) return <Chunk isPage of={userScreens} waiting={waiting} />;
  return <Chunk isPage of={isAt({ content: addresses.content }) ? contentPage : notFoundPage} waiting={waiting} />;
}

function ScreenBoundary() {
  return (
    <Boundary isPage at={usePath()} title="Cette page n'a pas pu être affichée.">
      <Screens />
    </Boundary>
  );
}

export function App() {
  return (
    <Router>
      <ToastProvider>
        <AuthProvider>
          <Frame>
            <DeferredShell />
            <ScreenBoundary />
          </Frame>
        </AuthProvider>
      </ToastProvider>
    </Router>
  );
}

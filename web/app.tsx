import { Redirect, Route, Switch, useLocation } from 'wouter';
import { AnswersProvider } from '#web/api/use-answer.tsx';
import { AuthPage } from '#web/features/auth/auth-page.tsx';
import { AuthProvider, useAuth } from '#web/session/auth.tsx';
import { FullScreenSpinner } from '#web/ui/spinner.tsx';
import { ToastProvider } from '#web/ui/toast.tsx';
import { addresses, adminAddresses, adminCounterpart, codeAddresses, matchAny, userAddresses } from './addresses.ts';
import { Chunk, part } from './shell/chunk.tsx';
import { Frame } from './shell/frame.tsx';

const waiting = <FullScreenSpinner />;
const codeScreens = part(() => import('#web/features/auth/code-screens.tsx'));
const userScreens = part(() => import('./user-screens.tsx'));
const adminPanel = part(() => import('#web/features/admin/admin-panel.tsx'));
const notFoundPage = part(() => import('./shell/not-found-page.tsx'));
const contentPage = part(() => import('#web/features/content-pages/content-page.tsx'));

const anyUserAddress = matchAny(userAddresses);
const anyCodeAddress = matchAny(codeAddresses);
const anyAdminAddress = matchAny(adminAddresses);

function UserRoute() {
  const { user } = useAuth();
  const [path] = useLocation();
  // A visitor's screen is not where an administrator ends up by accident.
  if (user?.isAdmin) return <Redirect to={adminCounterpart(path)} replace />;
  if (path !== addresses.home) return <Chunk of={userScreens} waiting={waiting} />;
  return user ? <Chunk of={userScreens} waiting={waiting} /> : <AuthPage />;
}

function Screens() {
  const { user, loading } = useAuth();
  if (loading) return waiting;
  return (
    <Switch>
      <Route path={anyUserAddress} component={UserRoute} />
      <Route path={addresses.auth}>{user && !user.isGuest ? <Redirect to={addresses.home} /> : <AuthPage />}</Route>
      <Route path={anyCodeAddress}>
        <Chunk of={codeScreens} waiting={waiting} />
      </Route>
      <Route path={anyAdminAddress}>
        {user?.isAdmin ? <Chunk of={adminPanel} waiting={waiting} /> : <Redirect to={addresses.home} />}
      </Route>
      <Route path={addresses.content}>
        <Chunk of={contentPage} waiting={waiting} />
      </Route>
      <Route>
        <Chunk of={notFoundPage} waiting={waiting} />
      </Route>
    </Switch>
  );
}

export function App() {
  return (
    <AuthProvider>
      <ToastProvider>
        <AnswersProvider>
          <Frame>
            <Screens />
          </Frame>
        </AnswersProvider>
      </ToastProvider>
    </AuthProvider>
  );
}

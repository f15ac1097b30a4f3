import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { AnswersProvider } from '#web/api/use-answer.tsx';
import { AuthPage } from '#web/features/auth/auth-page.tsx';
import { AuthProvider, useAuth } from '#web/session/auth.tsx';
import { FullScreenSpinner } from '#web/ui/spinner.tsx';
import { ToastProvider } from '#web/ui/toast.tsx';
import { addresses, adminAddresses, adminCounterpart, codeAddresses, matchAny, userAddresses } from './addresses.ts';
import { Frame } from './shell/frame.tsx';

const CodeScreens = lazy(() => import('#web/features/auth/code-screens.tsx'));
const UserScreens = lazy(() => import('./user-screens.tsx'));
const AdminPanel = lazy(() => import('#web/features/admin/admin-panel.tsx'));
const NotFoundPage = lazy(() => import('./shell/not-found-page.tsx'));
const ContentPage = lazy(() =>
  import('#web/features/content-pages/content-page.tsx').then((module) => ({ default: module.ContentPage })),
);

const anyUserAddress = matchAny(userAddresses);
const anyCodeAddress = matchAny(codeAddresses);
const anyAdminAddress = matchAny(adminAddresses);

function UserRoute() {
  const { user } = useAuth();
  const [path] = useLocation();
  // A visitor's screen is not where an administrator ends up by accident.
  if (user?.isAdmin) return <Redirect to={adminCounterpart(path)} replace />;
  if (path !== addresses.home) return <UserScreens />;
  return user ? <UserScreens /> : <AuthPage />;
}

function Screens() {
  const { user, loading } = useAuth();
  if (loading) return <FullScreenSpinner />;
  return (
    <Switch>
      <Route path={anyUserAddress} component={UserRoute} />
      <Route path={addresses.auth}>{user && !user.isGuest ? <Redirect to={addresses.home} /> : <AuthPage />}</Route>
      <Route path={anyCodeAddress} component={CodeScreens} />
      <Route path={anyAdminAddress}>{user?.isAdmin ? <AdminPanel /> : <Redirect to={addresses.home} />}</Route>
      <Route path={addresses.content} component={ContentPage} />
      <Route component={NotFoundPage} />
    </Switch>
  );
}

export function App() {
  return (
    <AuthProvider>
      <ToastProvider>
        <AnswersProvider>
          <Frame>
            <Suspense fallback={<FullScreenSpinner />}>
              <Screens />
            </Suspense>
          </Frame>
        </AnswersProvider>
      </ToastProvider>
    </AuthProvider>
  );
}

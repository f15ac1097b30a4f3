import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { AuthProvider, useAuth } from '#web/api/session.tsx';
import { AuthPage } from '#web/features/auth/auth-page.tsx';
import { FullScreenSpinner } from '#web/ui/spinner.tsx';
import { ToastProvider } from '#web/ui/toast.tsx';
import { paths } from './paths.ts';
import { Frame } from './shell.tsx';

const CodeScreens = lazy(() => import('#web/features/auth/code-screens.tsx'));
const UserScreens = lazy(() => import('./user-screens.tsx'));
const AdminPanel = lazy(() => import('#web/features/admin/admin-panel.tsx'));
const NotFoundPage = lazy(() => import('./not-found-page.tsx'));
const ContentPage = lazy(() =>
  import('#web/features/content-pages/content-page.tsx').then((module) => ({ default: module.ContentPage })),
);

const codePaths = /^\/(?:otp-verification|forgot-password|forgot-password-otp|reset-password)\/?$/i;
/** Home and the screens of a person who came in: one route, so that going from tab to tab keeps what they have read. */
const userPaths = /^\/(?:(?:summary|tickets|notifications|settings|notification\/[^/]+)\/?)?$/i;

function UserRoute() {
  const { user } = useAuth();
  const [path] = useLocation();
  if (path !== paths.home) return <UserScreens />;
  if (!user) return <AuthPage />;
  return user.isAdmin ? <AdminPanel /> : <UserScreens />;
}

function Screens() {
  const { user, loading } = useAuth();
  if (loading) return <FullScreenSpinner />;
  return (
    <Switch>
      <Route path={userPaths} component={UserRoute} />
      <Route path={paths.auth}>{user && !user.isGuest ? <Redirect to={paths.home} /> : <AuthPage />}</Route>
      <Route path={codePaths} component={CodeScreens} />
      <Route path={paths.admin}>{user?.isAdmin ? <AdminPanel /> : <Redirect to={paths.home} />}</Route>
      <Route path={paths.content} component={ContentPage} />
      <Route component={NotFoundPage} />
    </Switch>
  );
}

export function App() {
  return (
    <AuthProvider>
      <ToastProvider>
        <Frame>
          <Suspense fallback={<FullScreenSpinner />}>
            <Screens />
          </Suspense>
        </Frame>
      </ToastProvider>
    </AuthProvider>
  );
}

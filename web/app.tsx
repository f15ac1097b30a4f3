import { lazy, Suspense } from 'react';
import { Redirect, Route, Switch } from 'wouter';
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

const codePaths = [paths.otp, paths.forgotPassword, paths.forgotPasswordOtp, paths.resetPassword];
const userPaths = [paths.summary, paths.tickets, paths.notifications, paths.notification, paths.settings];

function Home() {
  const { user } = useAuth();
  if (!user) return <AuthPage />;
  return user.isAdmin ? <AdminPanel /> : <UserScreens />;
}

function Screens() {
  const { user, loading } = useAuth();
  if (loading) return <FullScreenSpinner />;
  return (
    <Switch>
      <Route path={paths.home} component={Home} />
      <Route path={paths.auth}>{user && !user.isGuest ? <Redirect to={paths.home} /> : <AuthPage />}</Route>
      {codePaths.map((path) => (
        <Route key={path} path={path} component={CodeScreens} />
      ))}
      {userPaths.map((path) => (
        <Route key={path} path={path} component={UserScreens} />
      ))}
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

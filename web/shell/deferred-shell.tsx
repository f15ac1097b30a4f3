import { Suspense, useEffect, useState } from 'react';
import { readLiveness } from '#contract/health.ts';
import { readPageBackground } from '#contract/page-background.ts';
import { connectivityEvent } from '#web/api/connectivity.ts';
import { probeEveryMs } from '#web/api/limits.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefreshedAnswer } from '#web/api/use-refreshed-answer.ts';
import { useAuth } from '#web/session/auth.tsx';
import { finishSignOut } from '#web/session/finish-sign-out.ts';
import { dropOldResetToken } from '#web/session/reset-token.ts';
import { Button } from '#web/ui/button.tsx';
import { registerWorker } from './register-worker.ts';

/** Tries a line that gave no answer, so that its return is noticed on a screen that asks nothing. */
function useProbe(): void {
  const call = useCall();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      timer = setTimeout(() => (document.hidden ? wait() : call(readLiveness, {}).catch(() => {})), probeEveryMs);
    };
    const hear = (event: Event) => {
      clearTimeout(timer);
      if (!(event as CustomEvent<boolean>).detail) wait();
    };
    addEventListener(connectivityEvent, hear);
    return () => {
      clearTimeout(timer);
      removeEventListener(connectivityEvent, hear);
    };
  }, [call]);
}

/** Ends on the server the session of who signed out without a line, as soon as the server answers again. */
function useFinishedSignOut(): void {
  const call = useCall();
  useEffect(() => {
    let underWay = false;
    const finish = () => {
      if (underWay) return;
      underWay = true;
      finishSignOut(call)
        .catch(() => {})
        .finally(() => {
          underWay = false;
        });
    };
    const hear = (event: Event) => (event as CustomEvent<boolean>).detail && finish();
    finish();
    addEventListener(connectivityEvent, hear);
    return () => removeEventListener(connectivityEvent, hear);
  }, [call]);
}

/** Looks now and then for another picture behind everything. */
function BackgroundRefresh() {
  useRefreshedAnswer(readPageBackground, {}, pollEveryMs.pageBackground);
  return null;
}

/**
 * Background work once the screens stand: the service worker, and the return of the connection. It finishes offline
 * sign-outs, drops old reset tokens, refreshes the page background, and offers a newer version.
 */
export default function StandBy() {
  const [letIn, setLetIn] = useState<() => void>();
  const { user } = useAuth();
  const isAdministrator = user?.isAdmin === true;
  useEffect(() => {
    // The panel is not kept offline: an administrator's browser gets no worker, but listens to one that it has.
    if (isAdministrator && !navigator.serviceWorker?.controller) return;
    return registerWorker((act) => setLetIn(() => act));
  }, [isAdministrator]);
  useEffect(dropOldResetToken, []);
  useProbe();
  useFinishedSignOut();
  return (
    <>
      <Suspense fallback={null}>
        <BackgroundRefresh />
      </Suspense>
      {letIn && (
        <div role="status" className="relative z-25 flex flex-wrap items-center gap-x-2 bg-leaf-pale px-4 py-1">
          <p className="min-w-0 flex-1 basis-40 text-sm">Une nouvelle version est disponible.</p>
          <Button variant="quiet" tight className="-mr-3 ml-auto" onClick={letIn}>
            Mettre à jour
          </Button>
        </div>
      )}
    </>
  );
}

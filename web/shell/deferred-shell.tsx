import { useEffect, useState } from 'react';
import { readMe } from '#contract/auth.ts';
import { readLiveness } from '#contract/health.ts';
import { type Connectivity, connectivityEvent } from '#web/api/client.ts';
import { probeEveryMs } from '#web/api/limits.ts';
import { periodOf, pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useAuth } from '#web/session/auth.tsx';
import { finishSignOut } from '#web/session/finish-sign-out.ts';
import { dropOldResetToken } from '#web/session/reset-token.ts';
import { localStore } from '#web/store.ts';
import { Button } from '#web/ui/button.tsx';
import displayFace from './display-700.woff2';
import { backgroundChanged } from './frame.tsx';
import { registerWorker } from './register-worker.ts';

/** Probes a lost connection, so that an idle screen notices its return. */
function useProbe(): void {
  const call = useCall();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      timer = setTimeout(() => (document.hidden ? wait() : call(readLiveness, {}).catch(() => {})), probeEveryMs);
    };
    const onCall = (event: Event) => {
      clearTimeout(timer);
      if ((event as CustomEvent<Connectivity>).detail !== 'answered') wait();
    };
    addEventListener(connectivityEvent, onCall);
    return () => {
      clearTimeout(timer);
      removeEventListener(connectivityEvent, onCall);
    };
  }, [call]);
}

/** Ends an offline sign-out's session on the server once it answers again. */
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
    // Later: where a sign-in was answered, its user is stored next, and the session is theirs.
    const onCall = (event: Event) => (event as CustomEvent<Connectivity>).detail === 'answered' && setTimeout(finish);
    finish();
    addEventListener(connectivityEvent, onCall);
    return () => removeEventListener(connectivityEvent, onCall);
  }, [call]);
}

/** Has the page background read again, at once when the page is visible again. */
function usePolledBackground(): void {
  useEffect(() => {
    const tell = () => dispatchEvent(new Event(backgroundChanged));
    const timer = setInterval(tell, periodOf(pollEveryMs.pageBackground));
    document.addEventListener('visibilitychange', tell);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tell);
    };
  }, []);
}

/** The face of titles and amounts comes once the first screen works, unless the person saves data. Their lines are as high without it. */
function useDisplayFace(): void {
  useEffect(() => {
    const { connection } = navigator as { connection?: { saveData: boolean } };
    if (connection?.saveData) return;
    const face = new FontFace('Guichet', `url(${displayFace})`, { weight: '700' });
    face.load().then(
      () => document.fonts.add(face),
      () => {},
    );
  }, []);
}

const probe = 'guichet_probe';

/** Whether what is kept now outlasts the page. */
function canKeep(): boolean {
  const isKept = localStore.tryToKeep(probe, '1');
  localStore.forget(probe);
  return isKept && navigator.cookieEnabled;
}

/** Says that nothing outlasts the page; usually nothing. A person whom the browser did not store is found by the cookie. */
function StorageNotice() {
  const [isFine] = useState(canKeep);
  const call = useCall();
  const { setUser } = useAuth();
  useEffect(() => {
    if (!isFine)
      call(readMe, {}).then(
        ({ user }) => setUser(user),
        () => {},
      );
  }, [isFine, call, setUser]);
  if (isFine) return null;
  return (
    <p role="status" className="relative z-25 bg-amber-pale px-4 py-1.5 font-semibold text-amber text-body">
      {navigator.cookieEnabled
        ? 'Votre navigateur ne peut rien garder (mémoire pleine ou bloquée). Ne rechargez pas cette page\u00a0: il faudrait tout recommencer.'
        : 'Votre navigateur bloque les cookies. Autorisez-les pour ce site\u00a0: la connexion en a besoin.'}
    </p>
  );
}

/** Background work after the first screens, and the offer of a new version. */
export default function DeferredShell() {
  const [activate, setActivate] = useState<() => void>();
  const { user } = useAuth();
  const isAdministrator = user?.isAdmin === true;
  useEffect(() => {
    // The panel does not work offline: an administrator's browser registers no worker, but listens to an existing one.
    if (isAdministrator && !navigator.serviceWorker?.controller) return;
    return registerWorker((act) => setActivate(() => act));
  }, [isAdministrator]);
  useEffect(dropOldResetToken, []);
  useProbe();
  usePolledBackground();
  useFinishedSignOut();
  useDisplayFace();
  return (
    <>
      <StorageNotice />
      {activate && (
        <div
          role="status"
          className="version-bar relative z-25 flex flex-wrap items-center gap-x-2 bg-leaf-pale px-4 py-1 rail:py-0"
        >
          <p className="min-w-0 flex-1 basis-40 text-body">Nouvelle version disponible</p>
          <Button variant="quiet" tight className="-mr-3 ml-auto rail:min-h-10 rail:py-1" onClick={activate}>
            Mettre à jour
          </Button>
        </div>
      )}
    </>
  );
}

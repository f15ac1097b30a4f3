import { useEffect, useState } from 'react';
import { readMe } from '#contract/auth.ts';
import { useCall } from '#web/api/use-call.ts';
import { useAuth } from '#web/session/auth.tsx';
import { localStore } from '#web/store.ts';

const probe = 'guichet_probe';

/** Whether what is kept now outlasts the page. */
function canKeep(): boolean {
  const isKept = localStore.tryToKeep(probe, '1');
  localStore.forget(probe);
  return isKept && navigator.cookieEnabled;
}

/**
 * Says that nothing outlasts the page, because of the browser's settings or its full storage; usually nothing. A person
 * whom the browser did not store is found by the session's cookie.
 */
export function StorageNotice() {
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
    <p role="status" className="relative z-25 bg-amber-pale px-4 py-1.5 font-semibold text-amber text-sm">
      {navigator.cookieEnabled
        ? 'Votre navigateur ne peut rien garder (mémoire pleine ou bloquée). Ne rechargez pas cette page : il faudrait tout recommencer.'
        : 'Votre navigateur bloque les cookies. Autorisez-les pour ce site : la connexion en a besoin.'}
    </p>
  );
}

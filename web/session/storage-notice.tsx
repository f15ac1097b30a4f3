import { useState } from 'react';
import { localStore, sessionStore } from '#web/store.ts';

/** The session is a cookie. */
export const cookiesNeeded =
  'Votre navigateur bloque les cookies. Autorisez-les pour ce site : la connexion en a besoin.';

function noticeOf(): string | undefined {
  if (!navigator.cookieEnabled) return cookiesNeeded;
  if (localStore.works() && sessionStore.works()) return undefined;
  return 'Votre navigateur ne peut rien garder (mémoire pleine ou bloquée). Ne rechargez pas cette page : il faudrait tout recommencer.';
}

/** Where something must outlast the page: what the browser's settings or its full storage prevent; usually nothing. */
export function StorageNotice() {
  const [notice] = useState(noticeOf);
  return notice && <p className="mb-3 rounded-xl bg-amber-pale px-4 py-3 text-amber text-sm">{notice}</p>;
}

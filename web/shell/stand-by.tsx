import { useEffect, useState } from 'react';
import { useAuth } from '#web/session/auth.tsx';
import { Button } from '#web/ui/button.tsx';
import { registerWorker } from './register-worker.ts';

/** What works beside the screens once they stand: the service worker, and the word of a newer version, which waits. */
export default function StandBy() {
  const [letIn, setLetIn] = useState<() => void>();
  const { user } = useAuth();
  const isAdministrator = user?.isAdmin === true;
  useEffect(() => {
    // Nothing of the panel is kept: an administrator's browser is given no worker, but told of what one that it has brings.
    if (isAdministrator && !navigator.serviceWorker?.controller) return;
    return registerWorker((act) => setLetIn(() => act));
  }, [isAdministrator]);
  if (!letIn) return null;
  return (
    <div role="status" className="flex flex-wrap items-center justify-between gap-x-4 bg-leaf-pale px-4 py-1">
      <p className="text-sm">Une nouvelle version est disponible.</p>
      <Button variant="quiet" tight onClick={letIn}>
        Mettre à jour
      </Button>
    </div>
  );
}

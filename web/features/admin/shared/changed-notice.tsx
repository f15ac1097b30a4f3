import type { ReactNode } from 'react';
import { Button } from '#web/ui/button.tsx';

/** Reports another administrator's concurrent save, and asks which version to keep. */
export function ChangedNotice({
  children,
  onTakeTheirs,
  onKeepMine,
}: {
  /** The other version. */
  children: ReactNode;
  onTakeTheirs: () => void;
  onKeepMine: () => void;
}) {
  return (
    <div role="alert" className="flex flex-col gap-3 rounded-xl border border-amber/40 bg-amber-pale p-3.5">
      <p className="font-semibold text-amber">Un autre administrateur vient de modifier cet élément.</p>
      {children}
      <div className="flex flex-wrap gap-2">
        <Button variant="plain" tight onClick={onTakeTheirs}>
          Prendre sa version
        </Button>
        <Button variant="plain" tight onClick={onKeepMine}>
          Garder la mienne
        </Button>
      </div>
    </div>
  );
}

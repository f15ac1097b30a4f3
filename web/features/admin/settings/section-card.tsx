import type { ComponentProps, ReactNode } from 'react';
import { ChangedNotice } from '#web/features/admin/shared/changed-notice.tsx';
import type { DraftCopy } from '#web/features/admin/shared/use-draft.ts';
import { useUnloadGuard } from '#web/features/admin/shared/use-unload-guard.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';

/** A form that is saved as a whole: an unsaved mark beside its title, and the question about another's save. */
export function SectionCard({
  title,
  about,
  copy,
  form,
  theirs,
  foot,
  children,
}: {
  title: string;
  about: string;
  copy: Pick<DraftCopy<never, unknown>, 'unsaved' | 'changedByOther' | 'takeTheirs' | 'keepMine'>;
  form: ComponentProps<'form'>;
  /** The version that another administrator saved meanwhile. */
  theirs: ReactNode;
  /** The buttons. */
  foot: ReactNode;
  children: ReactNode;
}) {
  useUnloadGuard(copy.unsaved);
  return (
    <Card className="flex flex-col gap-5">
      <div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <h2 className="font-bold text-lg">{title}</h2>
          <p role="status" className="empty:hidden">
            {copy.unsaved && <Badge tone="amber">Modifications non enregistrées</Badge>}
          </p>
        </div>
        <p className="text-soft">{about}</p>
      </div>
      <form {...form} className="flex flex-col gap-5">
        {children}
        {copy.changedByOther && (
          <ChangedNotice onTakeTheirs={copy.takeTheirs} onKeepMine={copy.keepMine}>
            {theirs}
          </ChangedNotice>
        )}
        {foot}
      </form>
    </Card>
  );
}

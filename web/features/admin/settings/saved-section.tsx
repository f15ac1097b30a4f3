import type { ComponentProps, ReactNode } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { hasCode } from '#web/api/client.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { ChangedNotice, type DraftCopy, useUnloadGuard, type Versioned } from '#web/features/admin/shared/draft.tsx';
import { type Reading, serverErrors } from '#web/forms/read-form.ts';
import { useFailureToast, type Wording } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';
import { useToast } from '#web/ui/toast.tsx';

/** A form that is saved as a whole: an unsaved mark beside its title, and the question about another's save. */
export function SavedSection({
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
    <SectionCard
      title={title}
      mark={
        <p role="status" className="empty:hidden">
          {copy.unsaved && <Badge tone="amber">Modifications non enregistrées</Badge>}
        </p>
      }
      about={about}
      className="gap-5"
    >
      <form {...form} className="flex flex-col gap-5">
        {children}
        {copy.changedByOther && (
          <ChangedNotice onTakeTheirs={copy.takeTheirs} onKeepMine={copy.keepMine}>
            {theirs}
          </ChangedNotice>
        )}
        {foot}
      </form>
    </SectionCard>
  );
}

/** The card of a section, with its title and a sentence about it. */
export function SectionCard({
  title,
  mark,
  about,
  className = 'gap-4',
  children,
}: {
  title: string;
  mark?: ReactNode;
  about: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <Card className={join('flex flex-col', className)}>
      <div>
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
          <h2 className="font-bold text-lg">{title}</h2>
          {mark}
        </div>
        <p className="text-soft">{about}</p>
      </div>
      {children}
    </Card>
  );
}

interface Saving<Stored, Draft, Body> {
  /** Refetched afterwards, whatever the outcome. */
  read: Endpoint;
  /** The request body of a draft, or the errors of its fields. */
  toSend: (draft: Draft) => Reading<Body>;
  /** Resolves with the stored version. */
  store: (body: Body & { expectedUpdatedAt: string | null }) => Promise<Stored>;
  /** Toast titles of a save, and of a refused stale version. */
  titles: { saved: string; refused: string };
  failure: Wording;
}

/** The form that saves a draft over the version its editor saw: the server refuses a stale one. */
export function useSaveEdited<Stored extends Versioned, Draft, Body extends object>(
  copy: DraftCopy<Stored, Draft>,
  { read, toSend, store, titles, failure }: Saving<Stored, Draft, Body>,
) {
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const { draft, expectedUpdatedAt } = copy;
  return useForm({
    read: () => toSend(draft),
    send: async (body) => {
      copy.recordSaved(draft, await store({ ...body, expectedUpdatedAt }));
      toast({ title: titles.saved });
    },
    failure: (error) => {
      const isStale = hasCode(error, 'CHANGED_MEANWHILE');
      toastFailure(error, { ...failure, ...(isStale && { title: titles.refused }) });
      return serverErrors(error);
    },
    after: () => refresh(read),
  });
}

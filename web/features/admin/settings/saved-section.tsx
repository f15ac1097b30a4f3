import type { ComponentProps, ReactNode } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { type DraftCopy, useSaveForm, type Versioned } from '#web/features/admin/shared/draft.tsx';
import { useUnloadGuard } from '#web/features/admin/shared/edit-dialog.tsx';
import type { Reading } from '#web/forms/read-form.ts';
import type { Wording } from '#web/forms/use-failure-toast.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';

/** A form that is saved as a whole, with an unsaved mark beside its title. */
export function SavedSection({
  title,
  about,
  copy,
  form,
  question,
  children,
}: {
  title: string;
  about: string;
  copy: { unsaved: boolean };
  form: ComponentProps<'form'>;
  /** Of a stale save. */
  question: ReactNode;
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
      </form>
      {question}
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
  /** The call that `store` makes, which resolves with the stored version. */
  write: Endpoint;
  store: (body: Body & { expectedUpdatedAt?: string | null }) => Promise<Stored>;
  /** The title of the toast. */
  saved: string;
  failure: Wording;
}

/** The form of a section's draft. */
export function useSaveEdited<Stored extends Versioned, Draft, Body extends object>(
  copy: DraftCopy<Stored, Draft>,
  { read, toSend, write, store, saved, failure }: Saving<Stored, Draft, Body>,
) {
  const refresh = useRefresh();
  const { draft, expectedUpdatedAt } = copy;
  return useSaveForm({
    read: () => toSend(draft),
    send: async (body, version) => {
      const stored = await store({ ...body, ...version });
      await refresh(read);
      copy.recordSaved(draft, stored);
      return { title: saved };
    },
    expectedUpdatedAt,
    write: { endpoint: write },
    failure,
    refetch: read,
    onReload: copy.reload,
  });
}

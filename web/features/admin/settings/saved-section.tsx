import type { ReactNode } from 'react';
import type { Endpoint } from '#contract/endpoint.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-refresh.ts';
import { draftFields, useDraft, useSaveForm, type Versioned } from '#web/features/admin/shared/draft.tsx';
import { useUnloadGuard } from '#web/features/admin/shared/edit-dialog.tsx';
import type { FieldErrors, Reading } from '#web/forms/read-form.ts';
import type { Wording } from '#web/forms/use-failure-toast.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';

interface Fields<Draft> extends ReturnType<typeof draftFields<Draft>> {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  errors: FieldErrors;
  busy: boolean;
}

/** A stored value that is edited and saved as a whole, with an unsaved mark beside its title. */
export function SavedSection<Stored extends Versioned, Draft extends object, Body extends object>({
  title,
  about,
  stored,
  draftOf,
  read,
  toSend,
  write,
  onSaved,
  saved,
  failure,
  hasOwnButtons = false,
  children,
}: {
  title: string;
  about: string;
  stored: Stored;
  draftOf: (stored: Stored) => Draft;
  /** Refetched after each try. */
  read: Endpoint;
  /** The request body of a draft, or the errors of its fields. */
  toSend: (draft: Draft) => Reading<Body>;
  /** Answers the stored value. */
  write: Endpoint;
  onSaved?: (stored: Stored) => void;
  /** The title of the toast. */
  saved: string;
  failure: Wording;
  /** The fields end with the button that saves. */
  hasOwnButtons?: boolean;
  children: (fields: Fields<Draft>) => ReactNode;
}) {
  const call = useCall();
  const refresh = useRefresh();
  const copy = useDraft(stored, draftOf);
  const { draft, change } = copy;
  const { form, errors, busy, question } = useSaveForm({
    read: () => toSend(draft),
    send: async (body, version) => {
      const now = (await call(write, { body: { ...body, ...version } })) as Stored;
      onSaved?.(now);
      await refresh(read);
      copy.recordSaved(draft, now);
      return { title: saved };
    },
    copy,
    write: { endpoint: write },
    failure,
    refetch: read,
  });
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
        {children({ draft, change, errors, busy, ...draftFields(draft, errors, change) })}
        {!hasOwnButtons && (
          <Button type="submit" className="sm:self-end" busy={busy}>
            {busy ? 'Enregistrement...' : 'Enregistrer'}
          </Button>
        )}
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
          <h2 className="font-bold text-large">{title}</h2>
          {mark}
        </div>
        <p className="text-soft">{about}</p>
      </div>
      {children}
    </Card>
  );
}

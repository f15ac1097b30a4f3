import type { FormEvent } from 'react';
import { cannedReasonsAtMost, listRejectReasons, type RejectReasons } from '#contract/settings.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ChangedNotice } from '#web/features/admin/shared/changed-notice.tsx';
import { useDraft } from '#web/features/admin/shared/use-draft.ts';
import { useUnloadGuard } from '#web/features/admin/shared/use-unload-guard.ts';
import { useFormErrors } from '#web/forms/use-form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { ReasonRows } from './reason-rows.tsx';
import { SectionCard } from './section-card.tsx';
import { useSaveReasons } from './use-save-reasons.ts';

/** The canned reject reasons. */
export function ReasonsSection() {
  const query = useEndpoint(listRejectReasons, {}, { pollEveryMs: pollEveryMs.adminSettings });
  return (
    <QueryState query={query} loading="Chargement des motifs..." failure="Impossible de charger les motifs.">
      {(stored) => <ReasonsForm stored={stored} />}
    </QueryState>
  );
}

function ReasonsForm({ stored }: { stored: RejectReasons }) {
  const copy = useDraft(stored, ({ reasons }) => reasons);
  const { form, errors, setErrors } = useFormErrors();
  const save = useSaveReasons(copy, setErrors);
  useUnloadGuard(copy.unsaved);
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void save.run();
  };
  return (
    <SectionCard
      title="Motifs de rejet"
      about="Proposés, dans cet ordre, à qui rejette un ticket. L’utilisateur les lit dans sa notification."
      unsaved={copy.unsaved}
    >
      <form ref={form} onSubmit={onSubmit} noValidate className="flex flex-col gap-5">
        <ReasonRows
          reasons={copy.draft}
          errors={errors}
          onChange={(update) => {
            setErrors({});
            copy.change(update);
          }}
        />
        {copy.changedByOther && (
          <ChangedNotice onTakeTheirs={copy.takeTheirs} onKeepMine={copy.keepMine}>
            <ol className="list-decimal pl-6 text-sm">
              {stored.reasons.map((reason) => (
                <li key={reason} className="wrap-anywhere">
                  {reason}
                </li>
              ))}
            </ol>
          </ChangedNotice>
        )}
        <div className="flex flex-wrap items-center justify-end gap-2.5">
          <p className="mr-auto text-soft text-sm">
            {copy.draft.length} sur {cannedReasonsAtMost} motifs
          </p>
          <Button type="submit" className="grow sm:grow-0" busy={save.busy}>
            {save.busy ? 'Enregistrement...' : 'Enregistrer'}
          </Button>
        </div>
      </form>
    </SectionCard>
  );
}

import { cannedReasonsAtMost, listRejectReasons, type RejectReasons } from '#contract/settings.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useDraft } from '#web/features/admin/shared/use-draft.ts';
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
  const { form, errors, setErrors, busy } = useSaveReasons(copy);
  return (
    <SectionCard
      title="Motifs de rejet"
      about="Proposés, dans cet ordre, à qui rejette un ticket. L’utilisateur les lit dans sa notification."
      copy={copy}
      form={form}
      theirs={
        <ol className="list-decimal pl-6 text-sm">
          {stored.reasons.map((reason) => (
            <li key={reason} className="wrap-anywhere">
              {reason}
            </li>
          ))}
        </ol>
      }
      foot={
        <div className="flex flex-wrap items-center justify-end gap-2.5">
          <p className="mr-auto text-soft text-sm">
            {copy.draft.length} sur {cannedReasonsAtMost} motifs
          </p>
          <Button type="submit" className="grow sm:grow-0" busy={busy}>
            {busy ? 'Enregistrement...' : 'Enregistrer'}
          </Button>
        </div>
      }
    >
      <ReasonRows
        reasons={copy.draft}
        errors={errors}
        onChange={(update) => {
          setErrors({});
          copy.change(update);
        }}
      />
    </SectionCard>
  );
}

import { cannedReasonsAtMost, listRejectReasons, rejectReasonsForm, saveRejectReasons } from '#contract/settings.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { TextArea } from '#web/features/admin/shared/fields.tsx';
import { readForm } from '#web/forms/read-form.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { SavedSection } from './saved-section.tsx';

const linesOf = (typed: string) => typed.split('\n').flatMap((line) => line.trim() || []);

function readReasons({ typed }: { typed: string }) {
  const reasons = linesOf(typed);
  const plain = reasons.map((reason) => reason.toLowerCase());
  const repeated = reasons.find((_, place) => plain.indexOf(plain[place] ?? '') < place);
  if (repeated) return { errors: { reasons: `«\u00a0${repeated}\u00a0» est deux fois dans la liste.` } };
  return readForm(rejectReasonsForm, { reasons });
}

export function ReasonsSection() {
  const query = useEndpoint(listRejectReasons, {}, { pollEveryMs: pollEveryMs.adminSettings });
  return (
    <QueryState query={query} loading="Chargement des motifs..." failure="Impossible de charger les motifs.">
      {(stored) => (
        <SavedSection
          title="Motifs de rejet"
          about="Proposés, dans cet ordre, à qui rejette un ticket. L'utilisateur les lit dans sa notification."
          stored={stored}
          draftOf={({ reasons }) => ({ typed: reasons.join('\n') })}
          read={listRejectReasons}
          toSend={readReasons}
          write={saveRejectReasons}
          saved="Motifs enregistrés"
          failure={{ fallback: "Les motifs n'ont pas pu être enregistrés." }}
        >
          {({ draft, errors, text }) => (
            <TextArea
              label="Motifs, un par ligne"
              hint={`${linesOf(draft.typed).length} sur ${cannedReasonsAtMost} motifs`}
              className="field-sizing-content min-h-48! leading-loose"
              {...text('typed')}
              error={Object.values(errors)[0]}
            />
          )}
        </SavedSection>
      )}
    </QueryState>
  );
}

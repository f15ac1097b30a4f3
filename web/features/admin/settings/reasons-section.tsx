import {
  cannedReasonsAtMost,
  listRejectReasons,
  type RejectReasons,
  rejectReasonsForm,
  saveRejectReasons,
} from '#contract/settings.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useDraft } from '#web/features/admin/shared/draft.tsx';
import { TextArea } from '#web/features/admin/shared/fields.tsx';
import { readForm } from '#web/forms/read-form.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SavedSection, useSaveEdited } from './saved-section.tsx';

export function ReasonsSection() {
  const query = useEndpoint(listRejectReasons, {}, { pollEveryMs: pollEveryMs.adminSettings });
  return (
    <QueryState query={query} loading="Chargement des motifs..." failure="Impossible de charger les motifs.">
      {(stored) => <ReasonsForm stored={stored} />}
    </QueryState>
  );
}

const linesOf = (typed: string) => typed.split('\n').flatMap((line) => line.trim() || []);

function ReasonsForm({ stored }: { stored: RejectReasons }) {
  const call = useCall();
  const copy = useDraft(stored, ({ reasons }) => reasons.join('\n'));
  const { form, errors, busy, question } = useSaveEdited(copy, {
    read: listRejectReasons,
    toSend: (typed) => {
      const reasons = linesOf(typed);
      const plain = reasons.map((reason) => reason.toLowerCase());
      const repeated = reasons.find((_, place) => plain.indexOf(plain[place] ?? '') < place);
      if (repeated) return { errors: { reasons: `«\u00a0${repeated}\u00a0» est deux fois dans la liste.` } };
      return readForm(rejectReasonsForm, { reasons });
    },
    write: saveRejectReasons,
    store: (body) => call(saveRejectReasons, { body }),
    saved: 'Motifs enregistrés',
    failure: { fallback: "Les motifs n'ont pas pu être enregistrés." },
  });
  return (
    <SavedSection
      title="Motifs de rejet"
      about="Proposés, dans cet ordre, à qui rejette un ticket. L'utilisateur les lit dans sa notification."
      copy={copy}
      form={form}
      question={question}
    >
      <div className="flex max-w-3xl flex-col gap-4">
        <TextArea
          label="Motifs, un par ligne"
          value={copy.draft}
          error={Object.values(errors)[0]}
          hint={`${linesOf(copy.draft).length} sur ${cannedReasonsAtMost} motifs`}
          className="field-sizing-content min-h-48! leading-loose"
          onChange={({ target }) => copy.change(() => target.value)}
        />
        <Button type="submit" className="sm:self-end" busy={busy}>
          {busy ? 'Enregistrement...' : 'Enregistrer'}
        </Button>
      </div>
    </SavedSection>
  );
}

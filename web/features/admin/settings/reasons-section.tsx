import { type ReactNode, useEffect, useRef, useState } from 'react';
import {
  cannedReasonsAtMost,
  listRejectReasons,
  type RejectReasons,
  rejectReasonsForm,
  saveRejectReasons,
} from '#contract/settings.ts';
import { rejectReasonLength } from '#contract/tickets.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { type DraftCopy, useDraft } from '#web/features/admin/shared/draft.tsx';
import { TextArea } from '#web/features/admin/shared/fields.tsx';
import { type FieldErrors, readForm } from '#web/forms/read-form.ts';
import { Button } from '#web/ui/button.tsx';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import { Drawing } from '#web/ui/drawing.tsx';
import { join } from '#web/ui/join.ts';
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

function ReasonsForm({ stored }: { stored: RejectReasons }) {
  const copy = useDraft(stored, ({ reasons }) => reasons);
  const { form, errors, setErrors, busy } = useSaveReasons(copy);
  return (
    <SavedSection
      title="Motifs de rejet"
      about="Proposés, dans cet ordre, à qui rejette un ticket. L'utilisateur les lit dans sa notification."
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
          <p className="mr-auto text-soft text-sm">{`${copy.draft.length} sur ${cannedReasonsAtMost} motifs`}</p>
          <Button type="submit" className="max-sm:w-full" busy={busy}>
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
    </SavedSection>
  );
}

function useSaveReasons(copy: DraftCopy<RejectReasons, string[]>) {
  const call = useCall();
  return useSaveEdited(copy, {
    read: listRejectReasons,
    toSend: (draft) => {
      const errors = findDuplicates(draft);
      const read = readForm(rejectReasonsForm, { reasons: draft });
      return read.data && Object.keys(errors).length > 0 ? { errors } : read;
    },
    store: (body) => call(saveRejectReasons, { body }),
    titles: { saved: 'Motifs enregistrés', refused: 'Non enregistré' },
    failure: { fallback: "Les motifs n'ont pas pu être enregistrés." },
  });
}

/** An error for each reason that repeats an earlier one. */
function findDuplicates(reasons: readonly string[]): FieldErrors {
  const plain = reasons.map((reason) => reason.trim().toLowerCase());
  const repeated = plain.flatMap((reason, index) => (plain.indexOf(reason) < index ? [index] : []));
  return Object.fromEntries(repeated.map((index) => [`reasons.${index}`, 'Ce motif est déjà dans la liste.']));
}

interface RowsProps {
  reasons: readonly string[];
  /** Keyed by 'reasons.' and the index. */
  errors: FieldErrors;
  onChange: (update: (reasons: string[]) => string[]) => void;
}

/** The reasons in order. A row is keyed by its index: a moved reason takes the focus along. */
function ReasonRows({ reasons, errors, onChange }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const [said, setSaid] = useState('');
  /** Labels of the element to focus after the next render, in order of preference. */
  const wanted = useRef<string[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list is what it waits for
  useEffect(() => {
    const labels = wanted.current;
    wanted.current = [];
    const found = labels.flatMap(
      (label) => list.current?.querySelector<HTMLElement>(`[aria-label="${label}"]:not(:disabled)`) ?? [],
    );
    found[0]?.focus();
  }, [reasons]);

  const move = (from: number, to: number) => {
    wanted.current = to < from ? [upLabel(to), downLabel(to)] : [downLabel(to), upLabel(to)];
    setSaid(`Motif déplacé en position ${to + 1} sur ${reasons.length}.`);
    onChange((before) => moved(before, from, to));
  };
  const remove = (index: number) => {
    wanted.current = [removeLabel(index), removeLabel(index - 1), addLabel];
    setSaid(`Motif ${index + 1} supprimé.`);
    onChange((before) => before.filter((_, place) => place !== index));
  };
  const add = () => {
    wanted.current = [fieldLabel(reasons.length)];
    onChange((before) => [...before, '']);
  };
  return (
    <div ref={list} className="flex flex-col gap-4">
      <p role="status" className="sr-only">
        {said}
      </p>
      {reasons.length === 0 && <p className="py-6 text-center text-soft">Aucun motif : chacun écrit le sien.</p>}
      <ol className="flex flex-col gap-3">
        {reasons.map((reason, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
          <li key={index} className="items-start gap-2 sm:flex">
            <div className="min-w-0 grow">
              <TextArea
                label={fieldLabel(index)}
                labelHidden
                error={errors[`reasons.${index}`]}
                aria-label={fieldLabel(index)}
                rows={1}
                maxLength={rejectReasonLength}
                value={reason}
                // A reason is one line, without line breaks.
                onChange={({ target }) =>
                  onChange((before) =>
                    before.map((each, at) => (at === index ? target.value.replace(/\s*\n\s*/g, ' ') : each)),
                  )
                }
                // One line is as tall as the buttons, its text in the middle.
                className="field-sizing-content min-h-0! resize-none py-[0.6875rem]!"
              />
            </div>
            <div className="flex justify-end">
              <RowButton label={upLabel(index)} disabled={index === 0} onClick={() => move(index, index - 1)}>
                <Drawing className="size-5">
                  <path d="M12 19V5m-7 7l7-7 7 7" />
                </Drawing>
              </RowButton>
              <RowButton
                label={downLabel(index)}
                disabled={index === reasons.length - 1}
                onClick={() => move(index, index + 1)}
              >
                <Drawing className="size-5">
                  <path d="M12 5v14m-7-7l7 7 7-7" />
                </Drawing>
              </RowButton>
              <RowButton label={removeLabel(index)} danger onClick={() => remove(index)}>
                <CrossIcon className="size-5" />
              </RowButton>
            </div>
          </li>
        ))}
      </ol>
      <Button
        variant="plain"
        className="self-start"
        aria-label={addLabel}
        disabled={reasons.length >= cannedReasonsAtMost}
        onClick={add}
      >
        Ajouter un motif
      </Button>
    </div>
  );
}

const addLabel = 'Ajouter un motif';
const fieldLabel = (index: number) => `Motif ${index + 1}`;
const upLabel = (index: number) => `Monter le motif ${index + 1}`;
const downLabel = (index: number) => `Descendre le motif ${index + 1}`;
const removeLabel = (index: number) => `Supprimer le motif ${index + 1}`;

function moved(reasons: readonly string[], from: number, to: number): string[] {
  const others = reasons.filter((_, place) => place !== from);
  return [...others.slice(0, to), reasons[from] ?? '', ...others.slice(to)];
}

function RowButton({
  label,
  danger,
  disabled,
  onClick,
  children,
}: {
  label: string;
  danger?: boolean;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      disabled={disabled}
      onClick={onClick}
      className={join(
        'flex h-12 w-11 items-center justify-center rounded-xl disabled:text-line',
        danger ? 'text-brick hover:bg-brick-pale' : 'text-soft enabled:hover:bg-leaf-pale enabled:hover:text-ink',
      )}
    >
      {children}
    </button>
  );
}

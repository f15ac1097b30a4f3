import { type ChangeEvent, useRef, useState } from 'react';
import { listAuditEntries } from '#contract/audit.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { hasCode } from '#web/api/client.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { type FieldErrors, type Reading, serverErrors } from '#web/forms/read-form.ts';
import type { Done } from '#web/forms/use-action.ts';
import type { Wording } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';

/** A stored value that several administrators may change. */
export interface Versioned {
  updatedAt: string | null;
}

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** An editable copy of a stored value, or of none yet. Unedited it follows what is stored; edited it keeps its base version. */
export function useDraft<Stored extends Versioned | undefined, Draft>(
  stored: Stored,
  draftOf: (stored: Stored) => Draft,
) {
  const [edited, setEdited] = useState<{ base: Stored; draft: Draft }>();
  /** The edits, unless they were taken back. */
  const editsOf = (now: typeof edited) => (now && !same(now.draft, draftOf(now.base)) ? now : undefined);
  const edits = editsOf(edited);
  const { base, draft } = edits ?? { base: stored, draft: draftOf(stored) };
  return {
    draft,
    /** The stored version that the draft is based on. */
    base,
    expectedUpdatedAt: base?.updatedAt ?? null,
    unsaved: edits !== undefined,
    change: (part: Partial<Draft>) =>
      setEdited((now) => {
        const from = editsOf(now) ?? { base: stored, draft: draftOf(stored) };
        return { base: from.base, draft: { ...from.draft, ...part } };
      }),
    /** Drops the edits for what is stored. */
    reload: () => setEdited(undefined),
    /** Edits made during a save stay, based on the saved version. */
    recordSaved: (sent: Draft, saved: Stored) =>
      setEdited((now) => (now && !same(now.draft, sent) ? { base: saved, draft: now.draft } : undefined)),
  };
}

type NameOf<Draft, Value> = { [Name in keyof Draft & string]: Draft[Name] extends Value ? Name : never }[keyof Draft &
  string];

/** The props of a draft's text fields and check boxes, by their names. */
export function draftFields<Draft>(draft: Draft, errors: FieldErrors, change: (part: Partial<Draft>) => void) {
  const part = (name: string, value: unknown) => change({ [name]: value } as unknown as Partial<Draft>);
  return {
    text: (name: NameOf<Draft, string>) => ({
      name,
      value: draft[name] as string,
      error: errors[name],
      onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
        part(name, target.value),
    }),
    check: (name: NameOf<Draft, boolean>) => ({
      name,
      checked: draft[name] as boolean,
      error: errors[name],
      onChange: ({ target }: ChangeEvent<HTMLInputElement>) => part(name, target.checked),
    }),
  };
}

interface Saving<Data> {
  /** The data to send, or the errors of fields. */
  read: () => Reading<Data>;
  /** `version` goes into the request's body; it is empty to replace whatever is stored. */
  send: (data: Data, version: { expectedUpdatedAt?: string | null }) => Done;
  copy: Pick<ReturnType<typeof useDraft>, 'expectedUpdatedAt' | 'unsaved' | 'reload'>;
  /** The audited write and its row, which name the other administrator. */
  write: { endpoint: Endpoint; target?: number | undefined };
  failure: Wording;
  errorsOf?: (error: unknown) => FieldErrors;
  /** Refetched after each try. */
  refetch: Endpoint;
}

/**
 * The form of a stored value, saved over the version that its editor saw. The server refuses a stale one: `question` asks whose
 * version stays. Every other failure marks its fields, else it is a toast.
 */
export function useSaveForm<Data>({ read, send, copy, write, failure, refetch, ...by }: Saving<Data>) {
  const { expectedUpdatedAt, unsaved } = copy;
  const [isStale, setStale] = useState(false);
  const replaces = useRef(false);
  const submit = useForm({
    read,
    send: (data) => send(data, replaces.current ? {} : { expectedUpdatedAt }),
    failure: (error) => {
      if (!hasCode(error, 'CHANGED_MEANWHILE')) return { words: failure, errors: (by.errorsOf ?? serverErrors)(error) };
      setStale(true);
      return { errors: {} };
    },
    reads: [refetch],
  });
  const overwrite = () => {
    setStale(false);
    // What was refused is read again: its image is stored by now.
    replaces.current = true;
    submit.form.ref.current?.requestSubmit();
    replaces.current = false;
  };
  return {
    ...submit,
    unsaved,
    question: isStale && !submit.busy && (
      <StaleDialog
        write={write}
        since={expectedUpdatedAt ?? ''}
        onReload={() => {
          setStale(false);
          copy.reload();
        }}
        onOverwrite={overwrite}
        onClose={() => setStale(false)}
      />
    ),
  };
}

/** Asks what becomes of a save that the server refused, because another administrator saved since. */
function StaleDialog({
  write: { endpoint, target },
  since,
  onReload,
  onOverwrite,
  onClose,
}: {
  write: Saving<never>['write'];
  since: string;
  onReload: () => void;
  onOverwrite: () => void;
  onClose: () => void;
}) {
  const log = useEndpoint(listAuditEntries, { query: {} }, { freshForMs: 0 });
  const action = `${endpoint.method} ${endpoint.path}`;
  const entry = log.data?.find(
    (each) =>
      each.action === action && (target === undefined || each.target === String(target)) && each.createdAt >= since,
  );
  const name = entry?.actor?.name || 'un autre administrateur';
  return (
    <Dialog title={log.isPending ? 'Modifié entre-temps' : `Modifié entre-temps par ${name}`} onClose={onClose}>
      <p className="mt-3">Rien n'a été enregistré. Recharger remplace votre saisie par la version enregistrée.</p>
      <DialogButtons className="mt-5">
        <Button variant="plain" onClick={onReload}>
          Recharger
        </Button>
        <Button onClick={onOverwrite}>Enregistrer quand même</Button>
      </DialogButtons>
    </Dialog>
  );
}

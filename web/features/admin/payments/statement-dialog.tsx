import { type FormEvent, useEffect, useId, useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import {
  importStatement,
  listPaymentImports,
  type PaymentAccount,
  type PaymentImport,
  statementBytes,
  statementTooLarge,
  undoPaymentImport,
} from '#contract/payment-feed.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog, DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { FileButton } from '#web/features/admin/shared/file-button.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { PaymentFacts, StateBadge } from '#web/features/admin/shared/payment-facts.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { type FieldErrors, type Reading, serverErrors } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formatCount, formatCounted } from '#web/text/formats.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { join } from '#web/ui/join.ts';
import { guessAccount } from './guess-account.ts';
import { AccountField, accountMissing, Listed, listedClass } from './intake-dialogs.tsx';
import { paymentReads } from './payment-actions.tsx';

type Statement = ResponseOf<typeof importStatement>;

/** The beginning of a statement, where its account is named. */
const bytesLookedAt = 65_536;

/** Those of a list that are not zero, as words. */
const told = (...counts: [count: number, words: string][]): string =>
  counts.flatMap(([count, words]) => (count > 0 ? words : [])).join(', ');

/**
 * A statement of an operator: first shows what would be imported, and imports it when it is submitted again. A change of the form
 * forgets what was read. Below it are the account's imports, each of which can be undone.
 */
export function StatementDialog({ accounts, onClose }: { accounts: readonly PaymentAccount[]; onClose: () => void }) {
  const call = useCall();
  const [chosen, setChosen] = useState(accounts.length === 1 ? accounts[0]?.id : undefined);
  const [file, setFile] = useState<File>();
  const [guessed, setGuessed] = useState<number>();
  const [statement, setStatement] = useState<Statement>();
  const [undone, setUndone] = useState<PaymentImport>();
  const { form, errors, setErrors, busy } = useForm({
    read: ({ accountId }) => readChoice(accountId, file),
    send: async ({ accountId, file: sent }) => {
      const answer = await call(importStatement, { file: sent, body: { accountId, dryRun: !statement } });
      if (!statement) return setStatement(answer);
      const { created, completed } = answer;
      const added = formatCounted(created, 'paiement ajouté');
      const description = told([created, added], [completed, formatCounted(completed, 'paiement complété')]);
      onClose();
      return { title: 'Relevé importé', description: `${description}.` };
    },
    failure: (error) => {
      const [problem = failureSentence(error, "Rien n'a pu être lu.")] = Object.values(serverErrors(error));
      return { errors: { file: problem } };
    },
    reads: statement && [...paymentReads, listPaymentImports],
  });
  // The button of an import that was undone went with it.
  useEffect(() => {
    if (!undone && document.activeElement === document.body) form.ref.current?.querySelector('select')?.focus();
  }, [undone, form.ref]);
  const onChange = ({ currentTarget }: FormEvent<HTMLFormElement>) => {
    setStatement(undefined);
    setChosen(Number(new FormData(currentTarget).get('accountId')) || undefined);
  };
  const choose = async (picked: File) => {
    setFile(picked);
    setErrors({});
    if (chosen) return;
    const found = guessAccount(`${picked.name}\n${await picked.slice(0, bytesLookedAt).text()}`, accounts)?.id;
    setGuessed(found);
    setChosen(found);
  };
  return (
    <>
      <Dialog wide title="Importer un relevé" onClose={onClose}>
        <form {...form} onChange={onChange} className="mt-4 flex flex-col gap-4">
          <AccountField
            key={guessed}
            accounts={accounts}
            chosen={guessed}
            hint={guessed !== undefined && guessed === chosen ? 'Son numéro est dans le fichier.' : undefined}
            error={errors.accountId}
          />
          <StatementField file={file} error={errors.file} onChoose={choose} />
          {statement && <StatementRead read={statement} />}
          {chosen && !statement && <Imports accountId={chosen} onUndo={setUndone} />}
          <DialogFoot
            busy={busy}
            disabled={statement && statement.created + statement.completed === 0}
            onCancel={onClose}
          >
            {statement ? 'Importer' : 'Lire'}
          </DialogFoot>
        </form>
      </Dialog>
      {undone && <UndoDialog made={undone} onClose={() => setUndone(undefined)} />}
    </>
  );
}

function readChoice(accountId: string | undefined, file: File | undefined): Reading<{ accountId: number; file: File }> {
  const found: FieldErrors = {
    ...(!accountId && { accountId: accountMissing }),
    ...(!file && { file: 'Choisissez un fichier.' }),
    ...(file && file.size > statementBytes && { file: statementTooLarge }),
  };
  if (!file || Object.keys(found).length > 0) return { errors: found };
  return { data: { accountId: Number(accountId), file } };
}

const types = '.csv,.xlsx,.xls,.txt,.htm,.html';

function StatementField({
  file,
  error,
  onChoose,
}: {
  file: File | undefined;
  error: string | undefined;
  onChoose: (file: File) => void;
}) {
  const label = 'Fichier du relevé';
  const note = useId();
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-semibold text-body">{label}</legend>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <FileButton
          label={label}
          accept={types}
          variant="plain"
          tight
          aria-describedby={note}
          aria-invalid={error ? true : undefined}
          onChoose={onChoose}
        >
          {file ? 'Choisir un autre fichier' : 'Choisir un fichier'}
        </FileButton>
        {file && <span className="wrap-anywhere min-w-0 font-medium">{file.name}</span>}
      </div>
      <p id={note} className={join('text-small', error ? 'font-medium text-brick' : 'text-soft')}>
        {error ?? "Excel ou CSV, comme l'opérateur le donne. Il est d'abord lu, sans rien écrire."}
      </p>
    </fieldset>
  );
}

function StatementRead({ read }: { read: Statement }) {
  const { wallet, from, to, rows, payments, created, completed, unchanged, first, faults } = read;
  const isNothing = created + completed === 0;
  const changes = told(
    [created, `${formatCount(created)} à ajouter`],
    [completed, `${formatCount(completed)} à compléter`],
    [unchanged, `${formatCount(unchanged)} déjà ${unchanged < 2 ? 'connue' : 'connues'}`],
  );
  return (
    <>
      <section aria-label="Relevé lu" className="rounded-xl border border-line px-4 py-3">
        <p className="font-semibold">{`Relevé ${wallet}`}</p>
        {from && to && (
          <p className="text-soft">
            Du <Moment instant={from} /> au <Moment instant={to} />
          </p>
        )}
        <p>
          {rows > 0 &&
            `${told([rows, formatCounted(rows, 'ligne')], [payments, `dont ${formatCounted(payments, 'paiement reçu')}`])}\u00a0: ${changes}.`}
        </p>
        <p role="status" className="mt-2 font-semibold empty:hidden">
          {isNothing && `Rien à importer\u00a0: ${rows > 0 ? 'tout est déjà connu' : "aucune ligne n'est lue"}.`}
        </p>
      </section>
      <Listed title="Premières lignes, comme elles sont lues">
        {first.map((line) => (
          <li key={line.row} className={listedClass}>
            <span className="text-soft">{`Ligne ${formatCount(line.row)}`}</span>
            <PaymentFacts payment={line} />
            <StateBadge payment={line} />
          </li>
        ))}
      </Listed>
      <Listed title="Lignes qui n'ont pas pu être lues">
        {faults.map(({ row, message }) => (
          <li key={`${row} ${message}`} className="wrap-anywhere py-1 text-brick">
            {`Ligne ${formatCount(row)}\u00a0: ${message}`}
          </li>
        ))}
      </Listed>
    </>
  );
}

/** The statements of an account that were imported. */
function Imports({ accountId, onUndo }: { accountId: number; onUndo: (made: PaymentImport) => void }) {
  const query = { account: String(accountId) };
  const imports = useEndpoint(listPaymentImports, { query }).data;
  return (
    <Listed title="Déjà importés">
      {imports?.map((made) => (
        <li key={made.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2.5">
          <div className="wrap-anywhere min-w-0 flex-1 basis-56 leading-snug">
            <p className="font-semibold">{made.fileName}</p>
            <p className="text-small text-soft">
              <span>{`Relevé ${made.wallet}, le `}</span>
              <Moment instant={made.createdAt} />
              {made.by && <span>{` par ${made.by}`}</span>}
            </p>
            <p className="text-small text-soft">{`${changesOf(made)}.`}</p>
          </div>
          <RowButton
            name="Annuler cet import"
            of={`(${made.fileName})`}
            small
            variant="plain"
            onClick={() => onUndo(made)}
          />
        </li>
      ))}
    </Listed>
  );
}

const changesOf = ({ created, completed }: PaymentImport) =>
  told(
    [created, formatCounted(created, 'paiement ajouté')],
    [completed, formatCounted(completed, 'paiement complété')],
  );

function UndoDialog({ made, onClose }: { made: PaymentImport; onClose: () => void }) {
  const call = useCall();
  const undo = async () => {
    const { deleted, restored } = await call(undoPaymentImport, { params: { id: String(made.id) } });
    const description = told(
      [deleted, formatCounted(deleted, 'paiement retiré')],
      [restored, `${formatCounted(restored, 'paiement')} comme avant`],
    );
    return { title: 'Import annulé', description: `${description}.` };
  };
  return (
    <ConfirmDialog
      title={'Annuler cet import\u00a0?'}
      confirm="Annuler l'import"
      cancel="Le garder"
      onConfirm={undo}
      failure={{ fallback: "L'import n'a pas pu être annulé." }}
      reads={[listPaymentImports, ...paymentReads]}
      onClose={onClose}
    >
      <p className="wrap-anywhere font-semibold">{`${made.fileName}, relevé ${made.wallet}`}</p>
      {made.created > 0 && (
        <p>
          {made.created < 2
            ? "Le paiement qu'il a ajouté est retiré."
            : `Les ${formatCount(made.created)} paiements qu'il a ajoutés sont retirés.`}
        </p>
      )}
      {made.completed > 0 && (
        <p>
          {made.completed < 2
            ? "Le paiement qu'il a complété redevient comme avant."
            : `Les ${formatCount(made.completed)} paiements qu'il a complétés redeviennent comme avant.`}
        </p>
      )}
    </ConfirmDialog>
  );
}

import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { importStatement, type PaymentAccount, statementBytes, statementTooLarge } from '#contract/payment-feed.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { PaymentFacts, StateBadge } from '#web/features/admin/shared/payment-facts.tsx';
import { type FieldErrors, serverErrors } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formatCount, formatCounted } from '#web/text/formats.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { AccountField, accountMissing, Listed, listedClass } from './intake-dialogs.tsx';
import { paymentReads } from './payment-actions.tsx';

type Statement = ResponseOf<typeof importStatement>;

/**
 * A statement of an operator: first shows what would be imported, and imports it when it is submitted again. A change of the form
 * forgets what was read.
 */
export function StatementDialog({ accounts, onClose }: { accounts: readonly PaymentAccount[]; onClose: () => void }) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const [file, setFile] = useState<File>();
  const [statement, setStatement] = useState<Statement>();
  const { form, errors, busy } = useForm<{ accountId: number; file: File }>({
    read: ({ accountId }) => {
      const found: FieldErrors = {
        ...(!accountId && { accountId: accountMissing }),
        ...(!file && { file: 'Choisissez un fichier.' }),
        ...(file && file.size > statementBytes && { file: statementTooLarge }),
      };
      if (!file || Object.keys(found).length > 0) return { errors: found };
      return { data: { accountId: Number(accountId), file } };
    },
    send: async ({ accountId, file: chosen }) => {
      const answer = await call(importStatement, { file: chosen, body: { accountId, dryRun: !statement } });
      if (!statement) return setStatement(answer);
      const description = `${formatCounted(answer.created, 'paiement ajouté')}, ${formatCounted(answer.completed, 'complété')}.`;
      toast({ title: 'Relevé importé', description });
      onClose();
    },
    failure: (error) => {
      const [problem = failureSentence(error, "Rien n'a pu être lu.")] = Object.values(serverErrors(error));
      return { file: problem };
    },
    after: () => (statement ? refresh(...paymentReads) : undefined),
  });
  return (
    <Dialog wide title="Importer un relevé" onClose={onClose}>
      <form {...form} onChange={() => setStatement(undefined)} className="mt-4 flex flex-col gap-4">
        <AccountField accounts={accounts} error={errors.accountId} />
        <Field
          label="Fichier du relevé"
          name="file"
          type="file"
          accept=".csv,.xlsx,.xls,.txt,text/csv,application/vnd.ms-excel,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
          className="file:mr-3 file:rounded-lg file:border-0 file:bg-leaf-pale file:px-3 file:py-1.5 file:font-semibold file:text-leaf-dark"
          error={errors.file}
          hint="CSV, XLSX ou XLS, comme l'opérateur le donne. Il est d'abord lu, sans rien écrire."
          onChange={({ target }) => setFile(target.files?.[0])}
        />
        {statement && <StatementRead read={statement} />}
        <DialogFoot
          busy={busy}
          disabled={statement && statement.created + statement.completed === 0}
          onCancel={onClose}
        >
          {statement ? 'Importer' : 'Lire'}
        </DialogFoot>
      </form>
    </Dialog>
  );
}

function StatementRead({ read }: { read: Statement }) {
  const { model, from, to, rows, payments, created, completed, unchanged, first, faults } = read;
  const counts = [
    formatCounted(rows, 'ligne'),
    formatCounted(payments, 'paiement reçu'),
    `${formatCount(created)} à ajouter`,
    `${formatCount(completed)} à compléter`,
    `${formatCount(unchanged)} sans changement`,
  ];
  return (
    <>
      <section aria-label="Relevé lu" className="rounded-xl border border-line px-4 py-3">
        <p className="font-semibold">{model}</p>
        {from && to && (
          <p className="text-soft">
            Du <Moment instant={from} /> au <Moment instant={to} />
          </p>
        )}
        <p>{`${counts.join(' · ')}.`}</p>
        <p role="status" className="mt-2 font-semibold empty:hidden">
          {created + completed === 0 && 'Rien à importer\u00a0: tout est déjà connu.'}
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

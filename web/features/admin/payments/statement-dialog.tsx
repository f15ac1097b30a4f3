import { useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { importStatement, type PaymentAccount, statementBytes } from '#contract/payment-feed.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { payerWords } from '#web/features/admin/shared/payment-facts.tsx';
import { serverErrors } from '#web/forms/read-form.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formatAmount, formatCount, formatMegabytes } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { Field } from '#web/ui/field.tsx';
import { AccountField, Listed, useReadThenKeep } from './intake.tsx';
import { stateWords } from './payment-table.tsx';

/** A statement of an operator: read as a whole first, and written on request. */
export function StatementDialog({ accounts, onClose }: { accounts: readonly PaymentAccount[]; onClose: () => void }) {
  const [file, setFile] = useState<File>();
  const { form, errors, busy, read } = useReadThenKeep<{ file: File }, ResponseOf<typeof importStatement>>({
    check: () => {
      if (!file) return { errors: { file: 'Choisissez un fichier.' } };
      const sizes = [file.size, statementBytes].map(formatMegabytes);
      if (file.size > statementBytes) return { errors: { file: `Ce fichier fait ${sizes.join('\u00a0: ')} au plus.` } };
      return { data: { file } };
    },
    look: (call, { file: chosen, ...body }) => call(importStatement, { file: chosen, body: { ...body, dryRun: true } }),
    keep: async (call, { file: chosen, ...body }) => {
      const { created, completed } = await call(importStatement, { file: chosen, body: { ...body, dryRun: false } });
      const description = `${formatCount(created)} paiement(s) ajouté(s), ${formatCount(completed)} complété(s).`;
      return { title: 'Relevé importé', description };
    },
    failure: (error) => {
      const [problem = failureSentence(error, "Le relevé n'a pas pu être lu.")] = Object.values(serverErrors(error));
      return { file: problem };
    },
    onKept: onClose,
  });
  const isKnown = read !== undefined && read.created + read.completed === 0;
  return (
    <Dialog wide title="Importer un relevé" onClose={onClose}>
      <form {...form} className="mt-4 flex flex-col gap-4">
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
        {read && <StatementRead read={read} />}
        <DialogFoot busy={busy} disabled={isKnown} onCancel={onClose}>
          {read ? 'Importer' : 'Lire'}
        </DialogFoot>
      </form>
    </Dialog>
  );
}

/** What a statement has, before anything of it is written. */
function StatementRead({ read }: { read: ResponseOf<typeof importStatement> }) {
  const { model, from, to, rows, payments, created, completed, unchanged, first, faults } = read;
  return (
    <>
      <section aria-label="Relevé lu" className="rounded-xl border border-line px-4 py-3">
        <Facts>
          <Fact name="Modèle">{model}</Fact>
          {from && to && (
            <Fact name="Période">
              <Moment instant={from} /> → <Moment instant={to} />
            </Fact>
          )}
          <Fact name="Lignes">{formatCount(rows)}</Fact>
          <Fact name="Paiements reçus">{formatCount(payments)}</Fact>
          <Fact name="À ajouter">{formatCount(created)}</Fact>
          <Fact name="À compléter">{formatCount(completed)}</Fact>
          <Fact name="Déjà connus">{formatCount(unchanged)}</Fact>
        </Facts>
        <p role="status" className="mt-2 empty:hidden">
          {created + completed === 0 && 'Rien à importer\u00a0: tout est déjà connu.'}
        </p>
      </section>
      <Listed title="Premières lignes, comme elles sont lues">
        {first.map(({ row, gross, fee, reference, payer, paidAt, state, direction }) => (
          <li key={`${row} ${reference}`} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-2">
            <span className="text-soft">{`Ligne ${formatCount(row)}`}</span>
            <strong className="tabular-nums">{`${direction === 'in' ? '' : '− '}${formatAmount(gross)}`}</strong>
            <Moment instant={paidAt} />
            {payer && <span className="tabular-nums">{payerWords(payer)}</span>}
            {reference && <span className="break-all font-mono">{reference}</span>}
            {fee !== null && fee !== 0 && <span className="text-soft">{`Frais ${formatAmount(fee / 100)}`}</span>}
            <Badge small tone={stateWords[state].tone}>
              {stateWords[state].words}
            </Badge>
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

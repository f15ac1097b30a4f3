import { type ReactNode, useState } from 'react';
import type { ResponseOf } from '#contract/endpoint.ts';
import { parseTypedAmount } from '#contract/money.ts';
import { importStatement, type PaymentAccount, statementBytes } from '#contract/payment-feed.ts';
import {
  type PaymentMessage,
  pastedLength,
  type ReadMessage,
  readMessages,
  recordPayment,
  takeMessages,
} from '#contract/payments.ts';
import type { InputOf } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { dayOf } from '#web/features/admin/shared/calendar-day.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { TextArea } from '#web/features/admin/shared/fields.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { PaymentFacts, StateBadge } from '#web/features/admin/shared/payment-facts.tsx';
import { groupAmount, retype } from '#web/forms/grouped-typing.ts';
import { type FieldErrors, serverErrors } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formatAmount, formatCount, formatCounted, formatDayAndHour, formatMegabytes } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { paymentReads } from './payment-actions.tsx';

/** A choice among accounts, by id, named `accountId` in its form; of a single one it is made. */
function AccountField({
  accounts,
  error,
  chosen,
}: {
  accounts: readonly PaymentAccount[];
  error: string | undefined;
  chosen?: number | null;
}) {
  const only = accounts.length === 1 ? accounts[0]?.id : undefined;
  return (
    <SelectField label="Compte" name="accountId" error={error} defaultValue={chosen ?? only ?? ''}>
      <option value="">Choisir un compte</option>
      <AccountOptions accounts={accounts} />
    </SelectField>
  );
}

export const AccountOptions = ({ accounts }: { accounts: readonly PaymentAccount[] }) =>
  accounts.map(({ id, label, number }) => (
    <option key={id} value={id}>
      {label} · {number}
    </option>
  ));

/** A list under its heading; nothing of an empty one. */
function Listed({ title, children = [] }: { title: string; children: ReactNode[] | undefined }) {
  if (children.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="font-semibold">{title}</h3>
      <ul className="mt-1 divide-y divide-line text-body">{children}</ul>
    </section>
  );
}

const itemClass = 'flex flex-wrap items-center gap-x-3 gap-y-0.5 py-2';
const kinds = {
  payment: { words: 'Paiement', tone: 'green', about: '' },
  ignored: { words: 'Ignoré', tone: 'grey', about: '' },
  unread: { words: 'Non lu', tone: 'amber', about: "Gardé pour que vous disiez ce que c'est." },
} as const;

type Statement = ResponseOf<typeof importStatement>;

/**
 * Pasted SMS, or a statement of an operator: first shows what would be kept, and keeps it when it is submitted again. A change
 * of the form forgets what was read.
 */
export function IntakeDialog({
  kind,
  accounts,
  onClose,
}: {
  kind: 'paste' | 'statement';
  accounts: readonly PaymentAccount[];
  onClose: () => void;
}) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const [file, setFile] = useState<File>();
  const [read, setRead] = useState<{ messages?: ReadMessage[]; statement?: Statement }>();
  const { messages, statement } = read ?? {};
  const pasted = async (body: { accountId: number; text: string }) => {
    if (!read) return setRead(await call(readMessages, { body }));
    const { payments, known, ignored, unread } = await call(takeMessages, { body });
    const description = `${formatCounted(payments, 'paiement')}\u00a0: déjà connus ${formatCount(known)}, ignorés ${formatCount(ignored)}, non lus ${formatCount(unread)}.`;
    toast({ title: 'SMS gardés', description });
    onClose();
  };
  const imported = async (accountId: number, chosen: File) => {
    const answer = await call(importStatement, { file: chosen, body: { accountId, dryRun: !read } });
    if (!read) return setRead({ statement: answer });
    const description = `${formatCounted(answer.created, 'paiement ajouté')}, ${formatCounted(answer.completed, 'complété')}.`;
    toast({ title: 'Relevé importé', description });
    onClose();
  };
  const { form, errors, busy } = useForm<{ accountId: number; text: string }>({
    read: ({ accountId, text = '' }) => {
      const found: FieldErrors = {
        ...(!accountId && { accountId: "Choisissez le compte qui a reçu l'argent." }),
        ...(kind === 'paste' && !text.trim() && { text: 'Collez un message.' }),
        ...(kind === 'statement' && !file && { file: 'Choisissez un fichier.' }),
        ...(file && file.size > statementBytes && { file: `Ce fichier dépasse ${formatMegabytes(statementBytes)}.` }),
      };
      return Object.keys(found).length > 0 ? { errors: found } : { data: { accountId: Number(accountId), text } };
    },
    send: (data) => (file ? imported(data.accountId, file) : pasted(data)),
    failure: (error) => {
      const [problem = failureSentence(error, "Rien n'a pu être lu.")] = Object.values(serverErrors(error));
      return { [kind === 'paste' ? 'text' : 'file']: problem };
    },
    after: () => (read ? refresh(...paymentReads) : undefined),
  });
  return (
    <Dialog wide title={kind === 'paste' ? 'Coller un SMS' : 'Importer un relevé'} onClose={onClose}>
      <form {...form} onChange={() => setRead(undefined)} className="mt-4 flex flex-col gap-4">
        <AccountField accounts={accounts} error={errors.accountId} />
        {kind === 'paste' ? (
          <TextArea
            label="Un ou plusieurs SMS"
            name="text"
            rows={6}
            maxLength={pastedLength}
            autoComplete="off"
            spellCheck={false}
            error={errors.text}
            hint="Ils sont d'abord lus, sans rien garder."
          />
        ) : (
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
        )}
        <p role="status" className="sr-only">
          {messages && formatCounted(messages.length, 'message lu')}
        </p>
        <Listed title="Messages lus">
          {messages?.map((message, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a message has no other name than its place, and keeps nothing
            <li key={place} className={itemClass}>
              <Badge tone={kinds[message.kind].tone}>{kinds[message.kind].words}</Badge>
              <span>{message.why ?? message.operator ?? kinds[message.kind].about}</span>
              {message.kind === 'payment' && <PaymentFacts payment={message} />}
            </li>
          ))}
        </Listed>
        {statement && <StatementRead read={statement} />}
        <DialogFoot
          busy={busy}
          disabled={statement && statement.created + statement.completed === 0}
          onCancel={onClose}
        >
          {read ? (kind === 'paste' ? 'Garder' : 'Importer') : 'Lire'}
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
          <li key={line.row} className={itemClass}>
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

/** Makes a payment of a message by what a person reads in it. */
export function RecordDialog({
  message: { id, accountId, text, receivedAt },
  accounts,
  onClose,
}: {
  message: PaymentMessage;
  accounts: readonly PaymentAccount[];
  onClose: () => void;
}) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const { form, errors, busy } = useForm<InputOf<typeof recordPayment>['body']>({
    read: ({ accountId: account, ...values }) => {
      const gross = parseTypedAmount(values.gross ?? '');
      const paidAt = new Date(values.paidAt ?? '');
      const found = {
        ...(!account && { accountId: 'Choisissez un compte.' }),
        ...(gross === undefined && { gross: 'Saisissez un montant en francs entiers.' }),
        ...(Number.isNaN(paidAt.getTime()) && { paidAt: "Saisissez le jour et l'heure du paiement." }),
      };
      if (gross === undefined || Object.keys(found).length > 0) return { errors: found };
      const [reference, payer] = [values.reference?.trim() || null, values.payer?.trim() || null];
      return { data: { accountId: Number(account), gross, reference, payer, paidAt: paidAt.toISOString() } };
    },
    send: async (body) => {
      const noted = await call(recordPayment, { params: { id: String(id) }, body });
      toast({ title: noted.message, description: formatAmount(body.gross) });
      onClose();
    },
    failure: { fallback: "Le paiement n'a pas pu être noté." },
    after: () => refresh(...paymentReads),
  });
  const optional = { autoComplete: 'off', spellCheck: false };
  return (
    <Dialog title="C'est un paiement" onClose={onClose}>
      <form {...form} className="mt-4 flex flex-col gap-4">
        <p className="wrap-anywhere whitespace-pre-wrap rounded-xl bg-ground px-3.5 py-2.5 text-body">
          {text ?? 'Le texte a été effacé après 30 jours.'}
        </p>
        <AccountField accounts={accounts} chosen={accountId} error={errors.accountId} />
        <Field
          label="Montant payé (FCFA)"
          name="gross"
          inputMode="numeric"
          autoComplete="off"
          hint="Frais compris."
          error={errors.gross}
          onChange={(event) => retype(event, groupAmount)}
        />
        <Field label="Référence (facultatif)" name="reference" maxLength={60} {...optional} error={errors.reference} />
        <Field
          label="Payé depuis le numéro (facultatif)"
          name="payer"
          type="tel"
          maxLength={40}
          {...optional}
          error={errors.payer}
        />
        <Field
          label="Payé le"
          name="paidAt"
          type="datetime-local"
          defaultValue={`${dayOf(new Date(receivedAt))}T${formatDayAndHour(receivedAt).hour}`}
          error={errors.paidAt}
        />
        <DialogFoot busy={busy} onCancel={onClose}>
          Noter le paiement
        </DialogFoot>
      </form>
    </Dialog>
  );
}

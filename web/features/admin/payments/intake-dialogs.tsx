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
import { payerWords, stateWords } from '#web/features/admin/shared/payment-facts.tsx';
import { groupAmount, retype } from '#web/forms/grouped-typing.ts';
import { type FieldErrors, type Reading, serverErrors } from '#web/forms/read-form.ts';
import type { Wording } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formatAmount, formatCount, formatDayAndHour, formatMegabytes } from '#web/text/formats.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { Field } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { type Toast, useToast } from '#web/ui/toast.tsx';
import { paymentReads } from './payment-actions.tsx';

/** A choice among accounts, by id, named `accountId` in its form; of a single one it is made. */
function AccountField({
  accounts,
  error,
  value = accounts.length === 1 ? accounts[0]?.id : undefined,
}: {
  accounts: readonly PaymentAccount[];
  error: string | undefined;
  /** The one that is chosen already. */
  value?: number | undefined;
}) {
  return (
    <SelectField label="Compte" name="accountId" error={error} defaultValue={value ?? ''}>
      <option value="">Choisir un compte</option>
      {accounts.map(({ id, label, number }) => (
        <option key={id} value={id}>
          {label} · {number}
        </option>
      ))}
    </SelectField>
  );
}

type Call = ReturnType<typeof useCall>;
type StatementRow = ResponseOf<typeof importStatement>['first'][number];

/**
 * A form about an account that first shows what would be kept, `read`, and keeps it when it is submitted again; a change of
 * the form forgets what was read.
 */
function useReadThenKeep<Data extends object, Read>({
  check,
  look,
  keep,
  failure,
  onKept,
}: {
  check: (values: Record<string, string>) => Reading<Data>;
  look: (call: Call, data: Data & { accountId: number }) => Promise<Read>;
  keep: (call: Call, data: Data & { accountId: number }) => Promise<Toast>;
  failure: Wording | ((error: unknown) => FieldErrors);
  onKept: () => void;
}) {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const [read, setRead] = useState<Read>();
  const { form, errors, busy } = useForm<Data & { accountId: number }>({
    read: (values) => {
      const { data, errors: found } = check(values);
      const noAccount = !values.accountId && { accountId: "Choisissez le compte qui a reçu l'argent." };
      if (data === undefined || noAccount) return { errors: { ...noAccount, ...found } };
      return { data: { ...data, accountId: Number(values.accountId) } };
    },
    send: async (data) => {
      if (read === undefined) return setRead(await look(call, data));
      toast(await keep(call, data));
      onKept();
      await refresh(...paymentReads);
    },
    failure,
  });
  return { form: { ...form, onChange: () => setRead(undefined) }, errors, busy, read };
}

/** A list under its heading; nothing of an empty one. */
function Listed({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="font-semibold">{title}</h3>
      <ul className="mt-1 divide-y divide-line text-sm">{children}</ul>
    </section>
  );
}

/** Pasted SMS, one or many: read first, kept on request. */
export function PasteDialog({ accounts, onClose }: { accounts: readonly PaymentAccount[]; onClose: () => void }) {
  const { form, errors, busy, read } = useReadThenKeep<{ text: string }, ReadMessage[]>({
    check: ({ text = '' }) => (text.trim() ? { data: { text } } : { errors: { text: 'Collez un message.' } }),
    look: async (call, body) => (await call(readMessages, { body })).messages,
    keep: async (call, body) => {
      const { payments, known, ignored, unread } = await call(takeMessages, { body });
      return {
        title: 'SMS gardés',
        description: `${formatCount(payments)} paiement(s), ${formatCount(known)} déjà connu(s), ${formatCount(ignored)} ignoré(s), ${formatCount(unread)} non lu(s).`,
      };
    },
    failure: { fallback: "Les messages n'ont pas pu être lus." },
    onKept: onClose,
  });
  return (
    <Dialog wide title="Coller un SMS" onClose={onClose}>
      <form {...form} className="mt-4 flex flex-col gap-4">
        <AccountField accounts={accounts} error={errors.accountId} />
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
        <p role="status" className="sr-only">
          {read && `${formatCount(read.length)} message(s) lu(s)`}
        </p>
        {read && (
          <Listed title="Messages lus">
            {read.map((message, place) => (
              // A message has no other name than its place, and keeps nothing.
              // biome-ignore lint/suspicious/noArrayIndexKey: see above
              <AsRead key={place} message={message} />
            ))}
          </Listed>
        )}
        <DialogFoot busy={busy} onCancel={onClose}>
          {read ? 'Garder' : 'Lire'}
        </DialogFoot>
      </form>
    </Dialog>
  );
}

const kinds: Record<ReadMessage['kind'], { words: string; tone: Tone }> = {
  payment: { words: 'Paiement', tone: 'green' },
  ignored: { words: 'Ignoré', tone: 'grey' },
  unread: { words: 'Non lu', tone: 'amber' },
};

/** A message as it is understood. */
function AsRead({ message }: { message: ReadMessage }) {
  const { kind, why, operator } = message;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-2">
      <Badge small tone={kinds[kind].tone}>
        {kinds[kind].words}
      </Badge>
      <span>{why ?? operator ?? (kind === 'unread' && "Gardé pour que vous disiez ce que c'est.")}</span>
      {kind === 'payment' && <ReadFacts {...message} />}
    </li>
  );
}

/** What is read of a payment, each where it is told. */
function ReadFacts(read: Partial<StatementRow> | ReadMessage) {
  const { direction, gross, paidAt, payer, reference, fee } = read;
  const { ourReference, balanceAfter }: Partial<ReadMessage> = 'kind' in read ? read : {};
  return (
    <>
      {gross !== undefined && (
        <strong className="tabular-nums">{`${direction && direction !== 'in' ? '− ' : ''}${formatAmount(gross)}`}</strong>
      )}
      {paidAt && <Moment instant={paidAt} />}
      {payer && <span className="tabular-nums">{payerWords(payer)}</span>}
      {reference && <span className="break-all font-mono">{reference}</span>}
      {ourReference && <span>{`Ticket nommé\u00a0: n°\u00a0${formatCount(ourReference)}`}</span>}
      {fee ? <span className="text-soft">{`Frais ${formatAmount(fee / 100)}`}</span> : null}
      {balanceAfter !== undefined && <span className="text-soft">{`Solde ${formatAmount(balanceAfter / 100)}`}</span>}
    </>
  );
}

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
        {first.map(({ row, state, ...told }) => (
          <li key={`${row} ${told.reference}`} className="flex flex-wrap items-center gap-x-3 gap-y-0.5 py-2">
            <span className="text-soft">{`Ligne ${formatCount(row)}`}</span>
            <ReadFacts {...told} />
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
        <p className="wrap-anywhere whitespace-pre-wrap rounded-xl bg-ground px-3.5 py-2.5 text-sm">
          {text ?? 'Le texte a été effacé après 30 jours.'}
        </p>
        <AccountField accounts={accounts} value={accountId ?? undefined} error={errors.accountId} />
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

import { type ReactNode, useState } from 'react';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { pastedLength, type ReadMessage, readMessages, takeMessages } from '#contract/payments.ts';
import { useCall } from '#web/api/use-call.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { TextArea } from '#web/features/admin/shared/fields.tsx';
import { PaymentFacts } from '#web/features/admin/shared/payment-facts.tsx';
import { type FieldErrors, serverErrors } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { failureSentence } from '#web/text/failures.ts';
import { formatCount, formatCounted } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { paymentReads } from './payment-actions.tsx';

/** A choice among accounts, by id, named `accountId` in its form; of a single one it is made. */
export function AccountField({
  accounts,
  error,
  chosen,
  hint,
}: {
  accounts: readonly PaymentAccount[];
  error: string | undefined;
  chosen?: number | null | undefined;
  hint?: string | undefined;
}) {
  const only = accounts.length === 1 ? accounts[0]?.id : undefined;
  return (
    <SelectField label="Compte" name="accountId" error={error} hint={hint} defaultValue={chosen ?? only ?? ''}>
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

/** A list under its heading, with what there is to say of it as a whole; nothing of an empty one. */
export function Listed({
  title,
  about,
  children = [],
}: {
  title: string;
  about?: string | undefined;
  children: ReactNode[] | undefined;
}) {
  if (children.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="font-semibold">{title}</h3>
      {about && (
        <p role="status" className="text-soft text-small">
          {`${about}.`}
        </p>
      )}
      <ul className="mt-1 divide-y divide-line text-body">{children}</ul>
    </section>
  );
}

export const accountMissing = "Choisissez le compte qui a reçu l'argent.";

export const listedClass = 'flex flex-wrap items-center gap-x-3 gap-y-0.5 py-2';
const kinds = {
  payment: { words: 'Paiement', tone: 'green', about: '' },
  ignored: { words: 'Ignoré', tone: 'grey', about: '' },
  unread: { words: 'Non lu', tone: 'amber', about: "Gardé pour que vous disiez ce que c'est." },
} as const;

/** What became of messages, or would: of each kind how many, those without any left out. */
function countedWords({
  payments = 0,
  known = 0,
  ignored = 0,
  unread = 0,
}: {
  payments?: number;
  known?: number;
  ignored?: number;
  unread?: number;
}): string {
  const all: [count: number, words: string][] = [
    [payments, formatCounted(payments, 'paiement')],
    [known, `${formatCount(known)} déjà ${known < 2 ? 'connu' : 'connus'}`],
    [ignored, formatCounted(ignored, 'ignoré')],
    [unread, `${formatCount(unread)} non ${unread < 2 ? 'lu' : 'lus'}`],
  ];
  return all.flatMap(([count, words]) => (count > 0 ? words : [])).join(', ');
}

function kindsOf(messages: readonly ReadMessage[]) {
  const of = (kind: ReadMessage['kind']) => messages.filter((each) => each.kind === kind).length;
  return { payments: of('payment'), ignored: of('ignored'), unread: of('unread') };
}

/** Pasted SMS: first shows what would be kept, and keeps it when it is submitted again. A change of the form forgets what was read. */
export function PasteDialog({ accounts, onClose }: { accounts: readonly PaymentAccount[]; onClose: () => void }) {
  const call = useCall();
  const [messages, setMessages] = useState<ReadMessage[]>();
  const { form, errors, busy } = useForm<{ accountId: number; text: string }>({
    read: ({ accountId, text = '' }) => {
      const found: FieldErrors = {
        ...(!accountId && { accountId: accountMissing }),
        ...(!text.trim() && { text: 'Collez un message.' }),
      };
      return Object.keys(found).length > 0 ? { errors: found } : { data: { accountId: Number(accountId), text } };
    },
    send: async (body) => {
      if (!messages) return setMessages((await call(readMessages, { body })).messages);
      const { payments, known, ignored, unread } = await call(takeMessages, { body });
      const title = payments + ignored + unread > 0 ? 'SMS gardés' : 'Rien de nouveau';
      onClose();
      return { title, description: `${countedWords({ payments, known, ignored, unread })}.` };
    },
    failure: (error) => {
      const [problem = failureSentence(error, "Rien n'a pu être lu.")] = Object.values(serverErrors(error));
      return { errors: { text: problem } };
    },
    reads: messages && paymentReads,
  });
  return (
    <Dialog wide title="Coller un SMS" onClose={onClose}>
      <form {...form} onChange={() => setMessages(undefined)} className="mt-4 flex flex-col gap-4">
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
        <Listed title="Messages collés" about={messages && countedWords(kindsOf(messages))}>
          {messages?.map((message, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a message has no other name than its place, and keeps nothing
            <li key={place} className={listedClass}>
              <Badge tone={kinds[message.kind].tone}>{kinds[message.kind].words}</Badge>
              <span>{message.why ?? message.operator ?? kinds[message.kind].about}</span>
              {message.kind === 'payment' && <PaymentFacts payment={message} />}
            </li>
          ))}
        </Listed>
        <DialogFoot busy={busy} onCancel={onClose}>
          {messages ? 'Garder' : 'Lire'}
        </DialogFoot>
      </form>
    </Dialog>
  );
}

import { type ReactNode, useState } from 'react';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import type { FieldErrors, Reading } from '#web/forms/read-form.ts';
import type { Wording } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { type Toast, useToast } from '#web/ui/toast.tsx';
import { paymentReads } from './use-approve.tsx';

/** A choice among accounts, by id, named `accountId` in its form; of a single one it is made. */
export function AccountField({
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

/**
 * A form about an account that first shows what would be kept, `read`, and keeps it when it is submitted again; a change of
 * the form forgets what was read.
 */
export function useReadThenKeep<Data extends object, Read>({
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
export function Listed({ title, children }: { title: string; children: ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className="font-semibold">{title}</h3>
      <ul className="mt-1 divide-y divide-line text-sm">{children}</ul>
    </section>
  );
}

import type { ComponentProps } from 'react';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { SelectField } from '#web/ui/select-field.tsx';

/** The account of the only choice that there is, else none. */
export const onlyAccount = (accounts: readonly PaymentAccount[]): string =>
  accounts.length === 1 ? String(accounts[0]?.id) : '';

/** A choice among accounts, by id. */
export function AccountField({
  accounts,
  onChoose,
  ...select
}: {
  accounts: readonly PaymentAccount[];
  value: string;
  onChoose: (id: string) => void;
} & Pick<ComponentProps<typeof SelectField>, 'error' | 'hint' | 'name'>) {
  return (
    <SelectField label="Compte" {...select} onChange={({ target }) => onChoose(target.value)}>
      <option value="">Choisir un compte</option>
      {accounts.map(({ id, label, number }) => (
        <option key={id} value={id}>
          {label} · {number}
        </option>
      ))}
    </SelectField>
  );
}

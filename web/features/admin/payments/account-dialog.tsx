import {
  createPaymentAccount,
  listPaymentAccounts,
  type PaymentAccount,
  updatePaymentAccount,
} from '#contract/payment-feed.ts';
import type { PaymentType } from '#contract/payment-types.ts';
import { type CountryCode, countries, defaultCountryCode, findCountry } from '#contract/phone.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { type DraftCopy, useDraft, useSaveForm, type Versioned } from '#web/features/admin/shared/draft.tsx';
import { CheckField } from '#web/features/admin/shared/fields.tsx';
import { type FieldErrors, serverErrors } from '#web/forms/read-form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';

type Stored = Pick<PaymentAccount, 'country' | 'number' | 'label' | 'allowedSenders' | 'isActive'> &
  Versioned & { paymentTypeId: number | null };

const nothing: Stored = {
  paymentTypeId: null,
  country: defaultCountryCode,
  number: '',
  label: '',
  allowedSenders: [],
  isActive: true,
  updatedAt: null,
};

const draftOf = ({ paymentTypeId, country, number, label, allowedSenders, isActive }: Stored) => ({
  paymentTypeId: String(paymentTypeId ?? ''),
  country,
  number,
  label,
  senders: allowedSenders.join(', '),
  isActive,
});
type AccountDraft = ReturnType<typeof draftOf>;

const sendersOf = (typed: string) => typed.split(/[,;\n]/).flatMap((sender) => sender.trim() || []);

export function AccountDialog({
  account,
  types,
  onClose,
}: {
  /** Undefined creates one. */
  account: PaymentAccount | undefined;
  types: readonly PaymentType[];
  onClose: () => void;
}) {
  const stored: Stored = account ?? nothing;
  const copy = useDraft(stored, draftOf);
  const { draft } = copy;
  const change = (fields: Partial<AccountDraft>) => copy.change((before) => ({ ...before, ...fields }));
  const { form, errors, busy, question } = useSaveAccount({ account, copy, onSaved: onClose });
  const type = types.find(({ id }) => id === account?.paymentTypeId);
  return (
    <Dialog title={account ? `Modifier «\u00a0${account.label}\u00a0»` : 'Nouveau compte'} onClose={onClose}>
      <form {...form} className="mt-4 flex flex-col gap-4">
        {account ? (
          <p className="text-soft">
            {`${type?.name ?? 'Type de paiement supprimé'} · ${findCountry(account.country)?.name}`}
          </p>
        ) : (
          <>
            <SelectField
              label="Type de paiement"
              name="paymentTypeId"
              value={draft.paymentTypeId}
              error={errors.paymentTypeId}
              onChange={({ target }) => change({ paymentTypeId: target.value })}
            >
              <option value="">Choisir un type de paiement</option>
              {types.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
            <SelectField
              label="Pays"
              value={draft.country}
              error={errors.country}
              onChange={({ target }) => change({ country: target.value as CountryCode })}
            >
              {countries.map(({ code, name, flag }) => (
                <option key={code} value={code}>
                  {flag} {name}
                </option>
              ))}
            </SelectField>
          </>
        )}
        <Field
          label="Numéro ou code marchand"
          name="number"
          autoComplete="off"
          maxLength={40}
          value={draft.number}
          error={errors.number}
          hint="Celui qui reçoit l'argent."
          onChange={({ target }) => change({ number: target.value })}
        />
        <Field
          label="Nom du compte"
          name="label"
          autoComplete="off"
          maxLength={60}
          value={draft.label}
          error={errors.label}
          hint={'Par exemple\u00a0: Caisse 1.'}
          onChange={({ target }) => change({ label: target.value })}
        />
        <Field
          label="Expéditeurs des SMS (facultatif)"
          name="allowedSenders"
          autoComplete="off"
          spellCheck={false}
          value={draft.senders}
          error={errors.allowedSenders}
          hint="Les noms que l'opérateur met à ses SMS, séparés par des virgules, comme OrangeMoney. Les autres sont refusés."
          onChange={({ target }) => change({ senders: target.value })}
        />
        {account && (
          <CheckField
            label="Actif"
            checked={draft.isActive}
            onChange={({ target }) => change({ isActive: target.checked })}
          />
        )}
        {question}
        <DialogFoot busy={busy} onCancel={onClose}>
          {account ? 'Enregistrer' : 'Ajouter'}
        </DialogFoot>
      </form>
    </Dialog>
  );
}

function useSaveAccount({
  account,
  copy: { draft, expectedUpdatedAt, reload },
  onSaved,
}: {
  account: PaymentAccount | undefined;
  copy: Pick<DraftCopy<Versioned, AccountDraft>, 'draft' | 'expectedUpdatedAt' | 'reload'>;
  onSaved: () => void;
}) {
  const call = useCall();
  return useSaveForm<AccountDraft>({
    read: () => {
      const errors: FieldErrors = {
        ...(!draft.paymentTypeId && { paymentTypeId: 'Choisissez un type de paiement.' }),
        ...(!draft.number.trim() && { number: 'Le numéro du compte est requis.' }),
        ...(!draft.label.trim() && { label: 'Le nom du compte est requis.' }),
      };
      return Object.keys(errors).length > 0 ? { errors } : { data: draft };
    },
    send: async ({ paymentTypeId, country, number, label, senders, isActive }, version) => {
      const body = { number: number.trim(), label: label.trim(), allowedSenders: sendersOf(senders) };
      if (account)
        await call(updatePaymentAccount, {
          params: { id: String(account.id) },
          body: { ...body, isActive, ...version },
        });
      else await call(createPaymentAccount, { body: { ...body, country, paymentTypeId: Number(paymentTypeId) } });
      onSaved();
      return { title: account ? 'Compte mis à jour' : 'Compte ajouté', description: `«\u00a0${body.label}\u00a0»` };
    },
    expectedUpdatedAt,
    write: { endpoint: updatePaymentAccount, target: account?.id },
    failure: { fallback: "Le compte n'a pas pu être enregistré." },
    errorsOf: (error): FieldErrors => {
      if (hasCode(error, 'PAYMENT_ACCOUNT_TAKEN')) return { number: error.failure.message ?? '' };
      const found = serverErrors(error);
      // One sender of the list.
      const [, sender] = Object.entries(found).find(([name]) => name.startsWith('allowedSenders')) ?? [];
      return { ...found, ...(sender && { allowedSenders: sender }) };
    },
    refetch: listPaymentAccounts,
    onReload: reload,
  });
}

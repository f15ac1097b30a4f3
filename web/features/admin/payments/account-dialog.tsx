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
import { draftFields, useDraft, useSaveForm, type Versioned } from '#web/features/admin/shared/draft.tsx';
import { EditDialog } from '#web/features/admin/shared/edit-dialog.tsx';
import { CheckField } from '#web/features/admin/shared/fields.tsx';
import { type FieldErrors, type Reading, serverErrors } from '#web/forms/read-form.ts';
import { Field } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';

const nothing: Versioned = { updatedAt: null };
const draftOf = (stored: PaymentAccount | Versioned) => {
  const account = 'id' in stored ? stored : undefined;
  return {
    paymentTypeId: '',
    country: defaultCountryCode as CountryCode,
    number: account?.number ?? '',
    label: account?.label ?? '',
    senders: account?.allowedSenders.join(', ') ?? '',
    isActive: account?.isActive ?? true,
  };
};

/** The form of an account; without one, of a new one. */
export function AccountDialog({
  account,
  types,
  onClose,
}: {
  account: PaymentAccount | undefined;
  types: readonly PaymentType[];
  onClose: () => void;
}) {
  const call = useCall();
  const copy = useDraft<PaymentAccount | Versioned, ReturnType<typeof draftOf>>(account ?? nothing, draftOf);
  const { paymentTypeId, country, number, label, senders, isActive } = copy.draft;
  const change = (fields: Partial<typeof copy.draft>) => copy.change((before) => ({ ...before, ...fields }));
  const { form, errors, busy, question } = useSaveForm({
    read: (): Reading<{ number: string; label: string; allowedSenders: string[] }> => {
      const found: FieldErrors = {
        ...(!account && !paymentTypeId && { paymentTypeId: 'Choisissez un type de paiement.' }),
        ...(!number.trim() && { number: 'Le numéro du compte est requis.' }),
        ...(!label.trim() && { label: 'Le nom du compte est requis.' }),
      };
      if (Object.keys(found).length > 0) return { errors: found };
      const allowedSenders = senders.split(/[,;\n]/).flatMap((sender) => sender.trim() || []);
      return { data: { number: number.trim(), label: label.trim(), allowedSenders } };
    },
    send: async (typed, version) => {
      if (account) {
        const body = { ...typed, isActive, ...version };
        await call(updatePaymentAccount, { params: { id: String(account.id) }, body });
      } else await call(createPaymentAccount, { body: { ...typed, country, paymentTypeId: Number(paymentTypeId) } });
      onClose();
      const description = `«\u00a0${typed.label}\u00a0»`;
      return { title: account ? 'Compte mis à jour' : 'Compte ajouté', description };
    },
    expectedUpdatedAt: copy.expectedUpdatedAt,
    write: { endpoint: updatePaymentAccount, target: account?.id },
    failure: { title: 'Non enregistré', fallback: "Le compte n'a pas pu être enregistré." },
    errorsOf: (error): FieldErrors => {
      if (hasCode(error, 'PAYMENT_ACCOUNT_TAKEN')) return { number: error.failure.message ?? '' };
      const found = serverErrors(error);
      // One sender of the list.
      const [, sender] = Object.entries(found).find(([name]) => name.startsWith('allowedSenders')) ?? [];
      return { ...found, ...(sender && { senders: sender }) };
    },
    refetch: listPaymentAccounts,
    onReload: copy.reload,
  });
  const fields = draftFields(copy.draft, errors, change);
  const type = types.find(({ id }) => id === account?.paymentTypeId)?.name ?? 'Type de paiement supprimé';
  return (
    <EditDialog
      short
      title={account ? `Modifier «\u00a0${account.label}\u00a0»` : 'Nouveau compte'}
      save={account ? 'Enregistrer' : 'Ajouter'}
      form={form}
      unsaved={copy.unsaved}
      busy={busy}
      bodyClass="flex flex-col gap-4 pb-4"
      question={question}
      onClose={onClose}
    >
      {account ? (
        <p className="text-soft">{`${type} · ${findCountry(account.country)?.name}`}</p>
      ) : (
        <>
          <SelectField label="Type de paiement" {...fields.text('paymentTypeId')}>
            <option value="">Choisir un type de paiement</option>
            {types.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </SelectField>
          <SelectField label="Pays" {...fields.text('country')}>
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
        autoComplete="off"
        maxLength={40}
        hint="Celui qui reçoit l'argent."
        {...fields.text('number')}
      />
      <Field
        label="Nom du compte"
        autoComplete="off"
        maxLength={60}
        hint={'Par exemple\u00a0: Caisse 1.'}
        {...fields.text('label')}
      />
      <Field
        label="Expéditeurs des SMS (facultatif)"
        autoComplete="off"
        spellCheck={false}
        hint="Les noms que l'opérateur met à ses SMS, séparés par des virgules, comme OrangeMoney. Les autres sont refusés."
        {...fields.text('senders')}
      />
      {account && <CheckField label="Actif" {...fields.check('isActive')} />}
    </EditDialog>
  );
}

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
import { useRefresh } from '#web/api/use-endpoint.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { CheckField } from '#web/features/admin/shared/fields.tsx';
import { type FieldErrors, serverErrors } from '#web/forms/read-form.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useForm } from '#web/forms/use-form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Field } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useToast } from '#web/ui/toast.tsx';

/** The form of an account; where another administrator changed it meanwhile it says so, and closes. */
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
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const { form, errors, busy } = useForm<Record<string, string>>({
    read: (values) => {
      const found = {
        ...(!account && !values.paymentTypeId && { paymentTypeId: 'Choisissez un type de paiement.' }),
        ...(!values.number?.trim() && { number: 'Le numéro du compte est requis.' }),
        ...(!values.label?.trim() && { label: 'Le nom du compte est requis.' }),
      };
      return Object.keys(found).length > 0 ? { errors: found } : { data: values };
    },
    send: async ({ paymentTypeId, country, number = '', label = '', allowedSenders = '', isActive }) => {
      const senders = allowedSenders.split(/[,;\n]/).flatMap((sender) => sender.trim() || []);
      const body = { number: number.trim(), label: label.trim(), allowedSenders: senders };
      if (account)
        await call(updatePaymentAccount, {
          params: { id: String(account.id) },
          body: { ...body, isActive: isActive !== undefined, expectedUpdatedAt: account.updatedAt },
        });
      else
        await call(createPaymentAccount, {
          body: { ...body, country: country as CountryCode, paymentTypeId: Number(paymentTypeId) },
        });
      toast({ title: account ? 'Compte mis à jour' : 'Compte ajouté', description: `«\u00a0${body.label}\u00a0»` });
      onClose();
    },
    failure: (error): FieldErrors => {
      if (hasCode(error, 'PAYMENT_ACCOUNT_TAKEN')) return { number: error.failure.message ?? '' };
      const found = serverErrors(error);
      if (Object.keys(found).length === 0)
        toastFailure(error, { title: 'Non enregistré', fallback: "Le compte n'a pas pu être enregistré." });
      if (hasCode(error, 'CHANGED_MEANWHILE')) onClose();
      // One sender of the list.
      const [, sender] = Object.entries(found).find(([name]) => name.startsWith('allowedSenders')) ?? [];
      return { ...found, ...(sender && { allowedSenders: sender }) };
    },
    after: () => refresh(listPaymentAccounts),
  });
  const type = types.find(({ id }) => id === account?.paymentTypeId)?.name ?? 'Type de paiement supprimé';
  return (
    <Dialog title={account ? `Modifier «\u00a0${account.label}\u00a0»` : 'Nouveau compte'} onClose={onClose}>
      <form {...form} className="mt-4 flex flex-col gap-4">
        {account ? (
          <p className="text-soft">{`${type} · ${findCountry(account.country)?.name}`}</p>
        ) : (
          <>
            <SelectField label="Type de paiement" name="paymentTypeId" error={errors.paymentTypeId}>
              <option value="">Choisir un type de paiement</option>
              {types.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </SelectField>
            <SelectField label="Pays" name="country" defaultValue={defaultCountryCode} error={errors.country}>
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
          defaultValue={account?.number}
          error={errors.number}
          hint="Celui qui reçoit l'argent."
        />
        <Field
          label="Nom du compte"
          name="label"
          autoComplete="off"
          maxLength={60}
          defaultValue={account?.label}
          error={errors.label}
          hint={'Par exemple\u00a0: Caisse 1.'}
        />
        <Field
          label="Expéditeurs des SMS (facultatif)"
          name="allowedSenders"
          autoComplete="off"
          spellCheck={false}
          defaultValue={account?.allowedSenders.join(', ')}
          error={errors.allowedSenders}
          hint="Les noms que l'opérateur met à ses SMS, séparés par des virgules, comme OrangeMoney. Les autres sont refusés."
        />
        {account && <CheckField label="Actif" name="isActive" defaultChecked={account.isActive} />}
        <DialogFoot busy={busy} onCancel={onClose}>
          {account ? 'Enregistrer' : 'Ajouter'}
        </DialogFoot>
      </form>
    </Dialog>
  );
}

import { type ReactNode, useState } from 'react';
import {
  createPaymentAccount,
  deletePaymentSource,
  listPaymentAccounts,
  type PaymentAccount,
  type PaymentSource,
  type SourceKind,
  updatePaymentAccount,
} from '#contract/payment-feed.ts';
import { listPaymentTypes, type PaymentType } from '#contract/payment-types.ts';
import { type CountryCode, countries, defaultCountryCode, findCountry } from '#contract/phone.ts';
import { findWallet } from '#contract/wallets.ts';
import { incomingPaymentsAddress } from '#web/admin-addresses.ts';
import { hasCode } from '#web/api/client.ts';
import { freshForMs, pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { draftFields, useDraft, useSaveForm } from '#web/features/admin/shared/draft.tsx';
import { EditDialog } from '#web/features/admin/shared/edit-dialog.tsx';
import { CheckField, ChoiceField } from '#web/features/admin/shared/fields.tsx';
import { Listing } from '#web/features/admin/shared/listing.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { type FieldErrors, type Reading, serverErrors } from '#web/forms/read-form.ts';
import { Link } from '#web/router.tsx';
import { formatCount, formatCounted } from '#web/text/formats.ts';
import { ActionMenu } from '#web/ui/action-menu.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { ConnectDialog } from './connect-dialog.tsx';
import { MerchantNumbersSection } from './merchant-numbers-section.tsx';
import { ShapesSection } from './shapes-section.tsx';
import { nameOf, SourceList } from './source-list.tsx';

export default function AccountsSection({ nav }: { nav: ReactNode }) {
  const query = useEndpoint(listPaymentAccounts, {}, { pollEveryMs: pollEveryMs.adminPaymentAccounts });
  const types = useEndpoint(listPaymentTypes, {}, { freshForMs: freshForMs.paymentTypes }).data ?? [];
  const typeOf = ({ paymentTypeId }: PaymentAccount) => types.find(({ id }) => id === paymentTypeId);
  const [edited, setEdited] = useState<PaymentAccount | 'new'>();
  const { dialog, connect, drawSources } = useSources();
  return (
    <>
      <TabTitle nav={nav} beside aside={<Button onClick={() => setEdited('new')}>Nouveau compte</Button>}>
        Paiements
      </TabTitle>
      <QueryState query={query} loading="Chargement des comptes..." failure="Impossible de charger les comptes.">
        {(accounts) => (
          <Listing
            title="Comptes de paiement"
            nothing="Aucun compte de paiement"
            text="Un compte est le numéro ou le code marchand qui reçoit l'argent d'un type de paiement, dans un pays."
            rows={accounts}
            parts={[
              {
                head: 'Compte',
                percent: 34,
                inCard: 'min-w-0 flex-1 basis-48',
                draw: (account) => <AccountFacts account={account} type={typeOf(account)} />,
              },
              {
                head: 'Messages',
                percent: 18,
                inCard: 'order-1 w-full',
                draw: (account) => <MessageCount {...account} />,
              },
              { head: 'Sources', percent: 41, inCard: 'order-2 w-full', draw: drawSources },
              {
                head: 'Actions',
                headHidden: true,
                percent: 7,
                end: true,
                draw: (account) => (
                  <AccountMenu
                    account={account}
                    type={typeOf(account)}
                    onConnect={(kind) => connect(account, kind)()}
                    onEdit={() => setEdited(account)}
                  />
                ),
              },
            ]}
            dialog={dialog}
          />
        )}
      </QueryState>
      <div className="mt-6">
        <MerchantNumbersSection />
      </div>
      <ShapesSection types={types} />
      {edited && (
        <AccountDialog
          account={edited === 'new' ? undefined : (query.data?.find(({ id }) => id === edited.id) ?? edited)}
          types={types}
          onClose={() => setEdited(undefined)}
        />
      )}
    </>
  );
}

/** Draws the sources of an account, and has the dialog that links one or asks before it is removed. */
function useSources() {
  const [dialog, setDialog] = useState<ReactNode>();
  const close = () => setDialog(undefined);
  const call = useCall();
  const connect = (account: PaymentAccount, kind: SourceKind, source?: PaymentSource) => () =>
    setDialog(<ConnectDialog account={account} kind={kind} source={source} onClose={close} />);
  const askToRemove = (account: PaymentAccount, source: PaymentSource) =>
    setDialog(
      <ConfirmDialog
        title={`Supprimer «\u00a0${nameOf(source)}\u00a0»\u00a0?`}
        onConfirm={async () => {
          await call(deletePaymentSource, { params: { id: String(source.id) } });
          return { title: 'Source supprimée', description: `${nameOf(source)}, ${account.label}.` };
        }}
        failure={{ fallback: "La source n'a pas pu être supprimée." }}
        reads={[listPaymentAccounts]}
        onClose={close}
      >
        <p>{`Son adresse ne donnera plus de paiements à ${account.label}. Ceux déjà reçus restent.`}</p>
      </ConfirmDialog>,
    );
  const drawSources = (account: PaymentAccount) => (
    <SourceList
      account={account}
      onRotate={(source) => connect(account, source.kind, source)()}
      onDelete={(source) => askToRemove(account, source)}
    />
  );
  return { dialog, connect, drawSources };
}

function AccountFacts({ account, type }: { account: PaymentAccount; type: PaymentType | undefined }) {
  const { label, number, isActive } = account;
  const country = findCountry(account.country);
  return (
    <div className="wrap-anywhere min-w-0 leading-snug">
      <p className="flex flex-wrap items-center gap-x-2 font-semibold">
        <span>{label}</span>
        {!isActive && <Badge>Inactif</Badge>}
      </p>
      <p className="text-small text-soft">
        {`${type?.name ?? 'Type de paiement supprimé'} · ${country?.flag} ${country?.name} · ${number}`}
      </p>
    </div>
  );
}

function MessageCount({ messages, unread }: PaymentAccount) {
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-small leading-snug">
      <span className="whitespace-nowrap text-soft">{`${formatCounted(messages, 'message')} en 7 jours`}</span>
      {unread > 0 && (
        <Link href={incomingPaymentsAddress('non-lus')} className="font-semibold text-amber underline max-lg:py-2.5">
          {`${formatCount(unread)} ${unread < 2 ? 'non lu' : 'non lus'}`}
        </Link>
      )}
    </p>
  );
}

function AccountMenu({
  account: { label },
  type,
  onConnect,
  onEdit,
}: {
  account: PaymentAccount;
  type: PaymentType | undefined;
  onConnect: (kind: SourceKind) => void;
  onEdit: () => void;
}) {
  const wallet = findWallet(type?.name, type?.operator);
  const mayBeWave = wallet === undefined || wallet.name === 'Wave';
  return (
    <ActionMenu<SourceKind | 'edit'>
      label={`Actions sur le compte ${label}`}
      items={[
        { name: 'sms', label: 'Relier un téléphone' },
        ...(mayBeWave ? [{ name: 'wave', label: 'Relier Wave' } as const] : []),
        { name: 'edit', label: 'Modifier' },
      ]}
      onChoose={(name) => (name === 'edit' ? onEdit() : onConnect(name))}
    />
  );
}

const countryWords = Object.fromEntries(countries.map(({ code, flag, name }) => [code, `${flag} ${name}`])) as Record<
  CountryCode,
  string
>;
const draftOf = (account: PaymentAccount | undefined) => ({
  paymentTypeId: '',
  country: defaultCountryCode as CountryCode,
  number: account?.number ?? '',
  label: account?.label ?? '',
  allowedSenders: account?.allowedSenders.join(', ') ?? '',
  isActive: account?.isActive ?? true,
});

interface DialogProps {
  account: PaymentAccount | undefined;
  types: readonly PaymentType[];
  onClose: () => void;
}

/** The form of an account; without one, of a new one. */
function AccountDialog({ account, types, onClose }: DialogProps) {
  const { draft, change, errors, ...saving } = useAccountForm({ account, onClose });
  const fields = draftFields(draft, errors, change);
  const type = types.find(({ id }) => id === account?.paymentTypeId)?.name ?? 'Type de paiement supprimé';
  return (
    <EditDialog
      short
      title={account ? `Modifier «\u00a0${account.label}\u00a0»` : 'Nouveau compte'}
      save={account ? 'Enregistrer' : 'Ajouter'}
      {...saving}
      bodyClass="flex flex-col gap-4 pb-4"
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
          <ChoiceField
            label="Pays"
            value={draft.country}
            options={countryWords}
            error={errors.country}
            onChoose={(country) => change({ country })}
          />
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
        {...fields.text('allowedSenders')}
      />
      {account && <CheckField label="Actif" {...fields.check('isActive')} />}
    </EditDialog>
  );
}

function useAccountForm({ account, onClose }: Omit<DialogProps, 'types'>) {
  const call = useCall();
  const copy = useDraft(account, draftOf);
  const { paymentTypeId, country, number, label, isActive } = copy.draft;
  const saving = useSaveForm({
    read: (): Reading<{ number: string; label: string; allowedSenders: string[] }> => {
      const found: FieldErrors = {
        ...(!account && !paymentTypeId && { paymentTypeId: 'Choisissez un type de paiement.' }),
        ...(!number.trim() && { number: 'Le numéro du compte est requis.' }),
        ...(!label.trim() && { label: 'Le nom du compte est requis.' }),
      };
      if (Object.keys(found).length > 0) return { errors: found };
      const allowedSenders = copy.draft.allowedSenders.split(/[,;\n]/).flatMap((sender) => sender.trim() || []);
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
    copy,
    write: { endpoint: updatePaymentAccount, target: account?.id },
    failure: { title: 'Non enregistré', fallback: "Le compte n'a pas pu être enregistré." },
    errorsOf: (error): FieldErrors => {
      if (hasCode(error, 'PAYMENT_ACCOUNT_TAKEN')) return { number: error.failure.message ?? '' };
      // One sender of the list is the whole field.
      return Object.fromEntries(
        Object.entries(serverErrors(error)).map(([name, words]) => [name.replace(/\.\d+$/, ''), words]),
      );
    },
    refetch: listPaymentAccounts,
  });
  return { draft: copy.draft, change: copy.change, ...saving };
}

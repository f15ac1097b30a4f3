import { type ReactNode, useState } from 'react';
import {
  deletePaymentSource,
  listPaymentAccounts,
  type PaymentAccount,
  type PaymentSource,
  type SourceKind,
} from '#contract/payment-feed.ts';
import { listPaymentTypes, type PaymentType } from '#contract/payment-types.ts';
import { findCountry } from '#contract/phone.ts';
import { incomingPaymentsAddress } from '#web/admin-addresses.ts';
import { freshForMs, pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { findWallet } from '#web/dialling/payment-references.ts';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { useFallbackFocus } from '#web/features/admin/shared/use-fallback-focus.ts';
import { Link } from '#web/router.tsx';
import { formatCount, formatRelative } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { join } from '#web/ui/join.ts';
import { CardIcon } from '#web/ui/panel-icons.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { AccountDialog } from './account-dialog.tsx';
import { ConnectDialog } from './connect-dialog.tsx';

/** The accounts that payments come in on, and what tells of them. */
export function AccountsSection({ nav }: { nav: ReactNode }) {
  const query = useEndpoint(listPaymentAccounts, {}, { pollEveryMs: pollEveryMs.adminPaymentAccounts });
  const types = useEndpoint(listPaymentTypes, {}, { freshForMs: freshForMs.paymentTypes }).data ?? [];
  const [edited, setEdited] = useState<PaymentAccount | 'new'>();
  const [dialog, setDialog] = useState<ReactNode>();
  const creator = useFallbackFocus<HTMLButtonElement>(dialog !== undefined);
  const close = () => setDialog(undefined);
  const call = useCall();
  const attempt = useAttempt();
  const remove = async ({ id }: PaymentSource) => {
    const write = async () => {
      await call(deletePaymentSource, { params: { id: String(id) } });
      return { title: 'Source supprimée' };
    };
    if (await attempt(write, { fallback: "La source n'a pas pu être supprimée." }, listPaymentAccounts)) close();
  };
  const connect = (account: PaymentAccount, kind: SourceKind, rotated?: PaymentSource) =>
    setDialog(<ConnectDialog account={account} kind={kind} onClose={close} {...(rotated && { rotated })} />);
  const askToRemove = (source: PaymentSource) =>
    setDialog(
      <ConfirmDialog
        title={'Supprimer cette source\u00a0?'}
        confirm="Supprimer"
        onConfirm={() => remove(source)}
        onClose={close}
      >
        <p>Son adresse cesse aussitôt de marcher. Les paiements déjà reçus restent.</p>
      </ConfirmDialog>,
    );
  return (
    <>
      <TabTitle
        nav={nav}
        beside
        aside={
          <Button ref={creator} onClick={() => setEdited('new')}>
            Nouveau compte
          </Button>
        }
      >
        Comptes
      </TabTitle>
      <QueryState
        query={query}
        loading="Chargement des comptes..."
        failure="Impossible de charger les comptes."
        empty={
          <EmptyState Icon={CardIcon} title="Aucun compte de paiement">
            <p className="max-w-lg text-soft">
              Un compte est le numéro ou le code marchand qui reçoit l'argent d'un type de paiement, dans un pays.
            </p>
          </EmptyState>
        }
      >
        {(accounts) => (
          <ul aria-label="Comptes de paiement" className="grid items-start gap-4 xl:grid-cols-2">
            {accounts.map((account) => (
              <li key={account.id}>
                <AccountCard
                  account={account}
                  type={types.find(({ id }) => id === account.paymentTypeId)}
                  onEdit={() => setEdited(account)}
                  onConnect={(kind, rotated) => connect(account, kind, rotated)}
                  onRemove={askToRemove}
                />
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      {edited && (
        <AccountDialog
          account={edited === 'new' ? undefined : (query.data?.find(({ id }) => id === edited.id) ?? edited)}
          types={types}
          onClose={() => setEdited(undefined)}
        />
      )}
      {dialog}
    </>
  );
}

function AccountCard({
  account,
  type,
  onEdit,
  onConnect,
  onRemove,
}: {
  account: PaymentAccount;
  type: PaymentType | undefined;
  onEdit: () => void;
  onConnect: (kind: SourceKind, rotated?: PaymentSource) => void;
  onRemove: (source: PaymentSource) => void;
}) {
  const { label, number, isActive, messages, unread, sources } = account;
  const country = findCountry(account.country);
  const wallet = findWallet(type?.operator) ?? findWallet(type?.name);
  const mayBeWave = wallet === undefined || wallet.name === 'Wave';
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h2 className="wrap-anywhere min-w-0 font-bold text-lg leading-tight">{label}</h2>
        <span className="ml-auto flex items-center gap-2">
          <Badge tone={isActive ? 'green' : 'grey'}>{isActive ? 'Actif' : 'Inactif'}</Badge>
          <RowButton name="Modifier" of={label} variant="plain" onClick={onEdit} />
        </span>
      </div>
      <p className="wrap-anywhere -mt-2 text-soft">
        <span>{`${type?.name ?? 'Type de paiement supprimé'}\u00a0·`}</span>{' '}
        <span className="inline-block">
          <span aria-hidden="true">{country?.flag}</span> {country?.name}&nbsp;·
        </span>{' '}
        <span className="inline-block tabular-nums">{number}</span>
      </p>
      <p className="text-sm">
        <span>{`${formatCount(messages)} ${messages < 2 ? 'message' : 'messages'} en 7 jours`}</span>
        {unread > 0 && (
          <span>
            {', dont '}
            <Link href={incomingPaymentsAddress('non-lus')} className="font-semibold text-leaf underline">
              {`${formatCount(unread)} ${unread < 2 ? 'non lu' : 'non lus'}`}
            </Link>
          </span>
        )}
      </p>
      {sources.length === 0 ? (
        <p className="text-soft text-sm">
          Rien n'est relié&nbsp;: les SMS se collent et les relevés s'importent à la main.
        </p>
      ) : (
        <ul aria-label={`Sources de ${label}`} className="flex flex-col divide-y divide-line border-line border-y">
          {sources.map((source) => (
            <li key={source.id} className="py-2.5">
              <Source
                source={source}
                onRotate={() => onConnect(source.kind, source)}
                onDelete={() => onRemove(source)}
              />
            </li>
          ))}
        </ul>
      )}
      <div className={buttonRow}>
        <RowButton name="Relier un téléphone" of={`à ${label}`} variant="outline" onClick={() => onConnect('sms')} />
        {mayBeWave && (
          <RowButton name="Relier Wave" of={`à ${label}`} variant="outline" onClick={() => onConnect('wave')} />
        )}
      </div>
    </Card>
  );
}

/** Each button as wide as its words; on a phone they share the row. */
const buttonRow = 'flex flex-wrap gap-2 *:flex-auto sm:*:flex-none sm:*:whitespace-nowrap';

function Source({ source, onRotate, onDelete }: { source: PaymentSource; onRotate: () => void; onDelete: () => void }) {
  const now = useNow();
  const { id, kind, isSilent, isSigned, lastSeenAt } = source;
  const of = `de la source n° ${id}`;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 font-semibold">
          <span>{kind === 'sms' ? 'Téléphone' : 'Serveur de Wave'}</span>
          {isSilent && <Badge tone="red">Silencieux</Badge>}
          {isSigned && <Badge>Signé</Badge>}
        </p>
        <p className="text-soft text-sm">{`Dernier message\u00a0: ${lastSeenAt ? formatRelative(lastSeenAt, now) : 'jamais'}`}</p>
      </div>
      <div className={join(buttonRow, 'max-sm:w-full')}>
        <RowButton name="Changer l'adresse" of={of} variant="plain" onClick={onRotate} />
        <RowButton name="Supprimer" of={of} variant="danger" onClick={onDelete} />
      </div>
    </div>
  );
}

import { type ChangeEvent, type ReactNode, useOptimistic, useState, useTransition } from 'react';
import { deletePaymentType, listPaymentTypes, type PaymentType, updatePaymentType } from '#contract/payment-types.ts';
import { findCountry } from '#contract/phone.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { OperatorMark } from '#web/catalogue/operator-mark.tsx';
import { Picture } from '#web/catalogue/picture.tsx';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { EditButtons, RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { useFallbackFocus } from '#web/features/admin/shared/use-fallback-focus.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CardIcon } from '#web/ui/panel-icons.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { DialTemplatesDialog } from './dial-templates-dialog.tsx';
import { PaymentTypeDialog } from './payment-type-dialog.tsx';

export function PaymentTypesSection({ nav }: { nav: ReactNode }) {
  const query = useEndpoint(listPaymentTypes, {}, { freshForMs: 0 });
  const change = useChangePaymentType();
  const [edited, setEdited] = useState<PaymentType | 'new'>();
  const [deleted, setDeleted] = useState<PaymentType>();
  const [dialled, setDialled] = useState<PaymentType>();
  const creator = useFallbackFocus<HTMLButtonElement>(deleted !== undefined);
  const create = (
    <Button ref={creator} onClick={() => setEdited('new')}>
      Nouveau type de paiement
    </Button>
  );
  return (
    <>
      <TabTitle aside={create} nav={nav}>
        Paiements
      </TabTitle>
      <QueryState
        query={query}
        loading="Chargement des types de paiement..."
        failure="Impossible de charger les types de paiement."
        empty={<EmptyState Icon={CardIcon} title="Aucun type de paiement" />}
      >
        {(types) => (
          <PaymentTypeList
            types={types}
            onSwitch={change.setActive}
            onEdit={setEdited}
            onDelete={setDeleted}
            onDial={setDialled}
          />
        )}
      </QueryState>
      {edited && (
        <PaymentTypeDialog type={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
      {dialled && <DialTemplatesDialog type={dialled} onClose={() => setDialled(undefined)} />}
      {deleted && (
        <ConfirmDialog
          title={`Supprimer «\u00a0${deleted.name}\u00a0»\u00a0?`}
          confirm="Supprimer"
          onConfirm={async () => {
            if (await change.remove(deleted)) setDeleted(undefined);
          }}
          onClose={() => setDeleted(undefined)}
        >
          <p>Ce type de paiement ne sera plus proposé. Les tickets qui l'ont choisi gardent son nom.</p>
          {deleted.isActive && <p>Pour ne plus le proposer un moment seulement, désactivez-le.</p>}
        </ConfirmDialog>
      )}
    </>
  );
}

/** Changes of a payment type without a form. Each resolves with its success, after the list is read again. */
function useChangePaymentType() {
  const call = useCall();
  const attempt = useAttempt();
  const paramsOf = ({ id }: PaymentType) => ({ params: { id: String(id) } });
  return {
    setActive: (type: PaymentType, isActive: boolean) =>
      attempt(
        async () => {
          await call(updatePaymentType, { ...paramsOf(type), body: { isActive, expectedUpdatedAt: type.updatedAt } });
          return {
            title: 'Type de paiement mis à jour',
            description: `«\u00a0${type.name}\u00a0» est maintenant ${isActive ? 'actif' : 'inactif'}.`,
          };
        },
        { fallback: 'Impossible de modifier le type de paiement.' },
        listPaymentTypes,
      ),
    remove: (type: PaymentType) =>
      attempt(
        async () => {
          await call(deletePaymentType, paramsOf(type));
          return { title: 'Type de paiement supprimé', description: `«\u00a0${type.name}\u00a0» n'est plus proposé.` };
        },
        { fallback: 'Impossible de supprimer le type de paiement.' },
        listPaymentTypes,
      ),
  };
}

interface Actions {
  /** Resolves after the list is read again. */
  onSwitch: (type: PaymentType, isActive: boolean) => Promise<unknown>;
  onEdit: (type: PaymentType) => void;
  onDelete: (type: PaymentType) => void;
  onDial: (type: PaymentType) => void;
}

function PaymentTypeList({ types, ...actions }: Actions & { types: PaymentType[] }) {
  const columns: Column<PaymentType>[] = [
    {
      head: 'Nom',
      cell: (type) => (
        <div className="flex items-center gap-3.5 py-1.5">
          <Face type={type} />
          <span className="wrap-anywhere font-semibold">{type.name}</span>
        </div>
      ),
    },
    { head: 'Opérateur', cell: ({ operator }) => operator ?? '—' },
    { head: 'Pays', className: 'max-w-80', cell: (type) => <Countries codes={type.countries} /> },
    { head: 'Proposé', className: 'w-36', cell: (type) => <Activity type={type} {...actions} /> },
    {
      head: 'Actions',
      className: 'w-64',
      cell: (type) => (
        <div className="flex gap-1.5">
          <RowButton of={type.name} name="Codes" variant="plain" small onClick={() => actions.onDial(type)} />
          <EditButtons
            of={type.name}
            small
            onEdit={() => actions.onEdit(type)}
            onDelete={() => actions.onDelete(type)}
          />
        </div>
      ),
    },
  ];
  return (
    <DataTable
      label="Types de paiement"
      rows={types}
      columns={columns}
      card={(type) => <TypeCard type={type} {...actions} />}
    />
  );
}

function TypeCard({ type, ...actions }: Actions & { type: PaymentType }) {
  return (
    <div className="flex flex-col gap-2.5 bar:grid bar:grid-cols-[minmax(0,1fr)_auto] bar:items-center bar:gap-x-3">
      <div className="flex flex-wrap items-center gap-3">
        <Face type={type} />
        <div className="min-w-24 flex-1">
          <p className="wrap-anywhere font-bold">{type.name}</p>
          {type.operator && <p className="text-soft text-sm">{`Ligne ${type.operator}`}</p>}
        </div>
        <Activity type={type} onSwitch={actions.onSwitch} />
      </div>
      <p className="text-sm bar:col-span-2 bar:row-start-2">
        <Countries codes={type.countries} />
      </p>
      <div className="mt-1 flex flex-wrap justify-end gap-2 bar:mt-0 *:px-2 *:text-sm sm:*:flex-none sm:*:px-3">
        <RowButton of={type.name} name="Codes" variant="plain" onClick={() => actions.onDial(type)} />
        <EditButtons of={type.name} onEdit={() => actions.onEdit(type)} onDelete={() => actions.onDelete(type)} />
      </div>
    </div>
  );
}

/** Switches at once; reverts if the server refuses. */
function Activity({ type, onSwitch }: { type: PaymentType } & Pick<Actions, 'onSwitch'>) {
  const [isActive, setActive] = useOptimistic(type.isActive);
  const [isPending, start] = useTransition();
  const change = ({ target: { checked } }: ChangeEvent<HTMLInputElement>) => {
    // The next change is based on this one's result.
    if (isPending) return;
    start(async () => {
      setActive(checked);
      await onSwitch(type, checked);
    });
  };
  return (
    <div className="flex items-center gap-1.5">
      <Badge small tone={isActive ? 'green' : 'grey'}>
        {isActive ? 'Actif' : 'Inactif'}
      </Badge>
      <Switch label={`Proposer ${type.name}`} checked={isActive} onChange={change} />
    </div>
  );
}

function Face({ type: { name, pictureUrl, icon } }: { type: PaymentType }) {
  if (!pictureUrl && !icon) return <OperatorMark name={name} size="medium" />;
  return (
    <span className="flex size-12 shrink-0 items-center justify-center overflow-hidden rounded-xl bg-leaf-pale text-2xl">
      {pictureUrl ? (
        <Picture src={pictureUrl} side="4rem" className="size-full object-cover" />
      ) : (
        <span aria-hidden="true">{icon}</span>
      )}
    </span>
  );
}

function Countries({ codes }: { codes: readonly string[] }) {
  const chosen = codes.flatMap((code) => findCountry(code) ?? []);
  if (chosen.length === 0) return <span>Tous les pays</span>;
  return (
    <span className="flex flex-wrap gap-x-2.5">
      {chosen.map(({ code, flag, name }) => (
        <span key={code} className="whitespace-nowrap">
          <span aria-hidden="true">{flag}</span> {name}
        </span>
      ))}
    </span>
  );
}

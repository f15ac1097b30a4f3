import { type ChangeEvent, useOptimistic, useTransition } from 'react';
import type { PaymentType } from '#contract/payment-types.ts';
import { findCountry } from '#contract/phone.ts';
import { OperatorMark } from '#web/catalogue/operator-mark.tsx';
import { Picture } from '#web/catalogue/picture.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { Switch } from '#web/ui/switch.tsx';

interface Actions {
  /** Resolves after the list is read again. */
  onSwitch: (type: PaymentType, isActive: boolean) => Promise<unknown>;
  onEdit: (type: PaymentType) => void;
  onDelete: (type: PaymentType) => void;
}

export function PaymentTypeList({ types, ...actions }: Actions & { types: PaymentType[] }) {
  const columns: Column<PaymentType>[] = [
    {
      head: 'Nom',
      cell: (type) => (
        <div className="flex items-center gap-3.5 py-1.5 text-base">
          <Face type={type} />
          <span className="wrap-anywhere font-bold">{type.name}</span>
        </div>
      ),
    },
    { head: 'Opérateur', cell: ({ operator }) => operator ?? '—' },
    { head: 'Pays', className: 'max-w-80', cell: (type) => <Countries codes={type.countries} /> },
    { head: 'Proposé', className: 'w-36', cell: (type) => <Activity type={type} {...actions} /> },
    {
      head: 'Actions',
      className: 'w-44',
      cell: (type) => (
        <div className="flex gap-1.5">
          <Buttons type={type} small {...actions} />
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
  const { isActive, change } = useActivity(type, actions.onSwitch);
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-3">
        <Face type={type} />
        <div className="min-w-24 flex-1">
          <p className="wrap-anywhere font-bold">{type.name}</p>
          {type.operator && <p className="text-soft text-sm">Ligne {type.operator}</p>}
        </div>
        <Switch label={`Proposer ${type.name}`} checked={isActive} onChange={change} />
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 text-sm">
        <ActivityBadge isActive={isActive} />
        <Countries codes={type.countries} />
      </div>
      <div className="mt-1 flex flex-wrap gap-2">
        <Buttons type={type} {...actions} />
      </div>
    </div>
  );
}

function Activity({ type, onSwitch }: { type: PaymentType } & Pick<Actions, 'onSwitch'>) {
  const { isActive, change } = useActivity(type, onSwitch);
  return (
    <div className="-ml-0.5 flex items-center gap-1">
      <Switch label={`Proposer ${type.name}`} checked={isActive} onChange={change} />
      <ActivityBadge isActive={isActive} />
    </div>
  );
}

/** Switches at once; reverts if the server refuses. */
function useActivity(type: PaymentType, onSwitch: Actions['onSwitch']) {
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
  return { isActive, change };
}

function ActivityBadge({ isActive }: { isActive: boolean }) {
  return <Badge tone={isActive ? 'green' : 'grey'}>{isActive ? 'Actif' : 'Inactif'}</Badge>;
}

function Buttons({ type, small = false, onEdit, onDelete }: { type: PaymentType; small?: boolean } & Actions) {
  return (
    <>
      <Button
        variant="plain"
        tight
        small={small}
        className="flex-1"
        aria-label={`Modifier ${type.name}`}
        onClick={() => onEdit(type)}
      >
        Modifier
      </Button>
      <Button
        variant="danger"
        tight
        small={small}
        className="flex-1"
        aria-label={`Supprimer ${type.name}`}
        onClick={() => onDelete(type)}
      >
        Supprimer
      </Button>
    </>
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
  if (chosen.length === 0) return 'Tous les pays';
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

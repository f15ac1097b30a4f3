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
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { Switch } from '#web/ui/switch.tsx';
import { DialTemplatesDialog } from './dial-templates-dialog.tsx';
import { Listing } from './listing.tsx';
import { PaymentTypeDialog } from './payment-type-dialog.tsx';

export function PaymentTypesSection({ nav }: { nav: ReactNode }) {
  const query = useEndpoint(listPaymentTypes, {}, { freshForMs: 0 });
  const call = useCall();
  const attempt = useAttempt();
  const [opened, setOpened] = useState<{ what: 'edit' | 'dial' | 'remove'; type: PaymentType } | { what: 'create' }>();
  const close = () => setOpened(undefined);
  const paramsOf = ({ id }: PaymentType) => ({ params: { id: String(id) } });
  const setActive = (type: PaymentType, isActive: boolean) =>
    attempt(
      async () => {
        await call(updatePaymentType, { ...paramsOf(type), body: { isActive, expectedUpdatedAt: type.updatedAt } });
        const description = `«\u00a0${type.name}\u00a0» est maintenant ${isActive ? 'actif' : 'inactif'}.`;
        return { title: 'Type de paiement mis à jour', description };
      },
      { fallback: 'Impossible de modifier le type de paiement.' },
      listPaymentTypes,
    );
  const remove = async (type: PaymentType) => {
    const write = async () => {
      await call(deletePaymentType, paramsOf(type));
      return { title: 'Type de paiement supprimé', description: `«\u00a0${type.name}\u00a0» n'est plus proposé.` };
    };
    if (await attempt(write, { fallback: 'Impossible de supprimer le type de paiement.' }, listPaymentTypes)) close();
  };
  const dialogOf = (types: readonly PaymentType[]) => {
    if (!opened) return undefined;
    if (opened.what === 'create') return <PaymentTypeDialog type={undefined} onClose={close} />;
    const type = types.find(({ id }) => id === opened.type.id) ?? opened.type;
    if (opened.what === 'edit') return <PaymentTypeDialog type={type} onClose={close} />;
    if (opened.what === 'dial') return <DialTemplatesDialog type={type} onClose={close} />;
    return (
      <ConfirmDialog
        title={`Supprimer «\u00a0${type.name}\u00a0»\u00a0?`}
        confirm="Supprimer"
        onConfirm={() => remove(type)}
        onClose={close}
      >
        <p>Ce type de paiement ne sera plus proposé. Les tickets qui l'ont choisi gardent son nom.</p>
        {type.isActive && <p>Pour ne plus le proposer un moment seulement, désactivez-le.</p>}
      </ConfirmDialog>
    );
  };
  return (
    <>
      <TabTitle
        nav={nav}
        aside={<Button onClick={() => setOpened({ what: 'create' })}>Nouveau type de paiement</Button>}
      >
        Paiements
      </TabTitle>
      <QueryState
        query={query}
        loading="Chargement des types de paiement..."
        failure="Impossible de charger les types de paiement."
      >
        {(types) => (
          <Listing
            title="Types de paiement"
            nothing={{ title: 'Aucun type de paiement' }}
            rows={types}
            parts={[
              { head: 'Nom', percent: 28, draw: (type) => <NameAndFace type={type} /> },
              { head: 'Pays', percent: 24, draw: ({ countries }) => <Countries codes={countries} /> },
              { head: 'Proposé', percent: 18, draw: (type) => <Activity type={type} onSwitch={setActive} /> },
              {
                head: 'Actions',
                percent: 30,
                draw: (type, inTable) => (
                  <div className="flex flex-wrap gap-1.5">
                    <RowButton
                      of={type.name}
                      name="Codes"
                      variant="plain"
                      small={inTable}
                      onClick={() => setOpened({ what: 'dial', type })}
                    />
                    <EditButtons
                      of={type.name}
                      small={inTable}
                      onEdit={() => setOpened({ what: 'edit', type })}
                      onDelete={() => setOpened({ what: 'remove', type })}
                    />
                  </div>
                ),
              },
            ]}
            dialog={dialogOf(types)}
          />
        )}
      </QueryState>
      {query.data === undefined && dialogOf([])}
    </>
  );
}

/** Switches at once; reverts if the server refuses. */
function Activity({
  type,
  onSwitch,
}: {
  type: PaymentType;
  /** Resolves after the list is read again. */
  onSwitch: (type: PaymentType, isActive: boolean) => Promise<unknown>;
}) {
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

function NameAndFace({ type: { name, operator, pictureUrl, icon } }: { type: PaymentType }) {
  return (
    <div className="flex items-center gap-3.5 py-1">
      {pictureUrl || icon ? (
        <span className="flex size-12 shrink-0 items-center justify-center overflow-hidden rounded-xl bg-leaf-pale text-2xl">
          {pictureUrl ? (
            <Picture src={pictureUrl} side="4rem" className="size-full object-cover" />
          ) : (
            <span aria-hidden="true">{icon}</span>
          )}
        </span>
      ) : (
        <OperatorMark name={name} size="medium" />
      )}
      <div className="min-w-0">
        <p className="wrap-anywhere font-semibold">{name}</p>
        {operator && <p className="text-[0.8125rem] text-soft">{`Ligne ${operator}`}</p>}
      </div>
    </div>
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

import { useState } from 'react';
import { listPaymentTypes, type PaymentType } from '#contract/payment-types.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { ConfirmDialog } from '#web/features/admin/shared/confirm-dialog.tsx';
import { TabTitle } from '#web/features/admin/shared/tab-title.tsx';
import { useFallbackFocus } from '#web/features/admin/shared/use-fallback-focus.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CardIcon } from '#web/ui/panel-icons.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { PaymentTypeDialog } from './payment-type-dialog.tsx';
import { PaymentTypeList } from './payment-type-list.tsx';
import { useChangePaymentType } from './use-change-payment-type.ts';

/** The payment types. */
export default function PaymentsTab() {
  const query = useEndpoint(listPaymentTypes, {}, { freshForMs: 0 });
  const change = useChangePaymentType();
  const [edited, setEdited] = useState<PaymentType | 'new'>();
  const [deleted, setDeleted] = useState<PaymentType>();
  const creator = useFallbackFocus<HTMLButtonElement>(deleted !== undefined);
  const create = (
    <Button ref={creator} onClick={() => setEdited('new')}>
      Nouveau type de paiement
    </Button>
  );
  return (
    <>
      <TabTitle aside={create}>Paiements</TabTitle>
      <QueryState
        query={query}
        loading="Chargement des types de paiement..."
        failure="Impossible de charger les types de paiement."
      >
        {(types) =>
          types.length === 0 ? (
            <EmptyState Icon={CardIcon} title="Aucun type de paiement" />
          ) : (
            <PaymentTypeList types={types} onSwitch={change.setActive} onEdit={setEdited} onDelete={setDeleted} />
          )
        }
      </QueryState>
      {edited && (
        <PaymentTypeDialog
          // A type deleted by others keeps its last known version; saving it shows the server's refusal.
          type={edited === 'new' ? undefined : (query.data?.find(({ id }) => id === edited.id) ?? edited)}
          onClose={() => setEdited(undefined)}
        />
      )}
      {deleted && (
        <ConfirmDialog
          title={`Supprimer «\u00a0${deleted.name}\u00a0»\u00a0?`}
          confirm="Supprimer"
          onConfirm={async () => {
            if (await change.remove(deleted)) setDeleted(undefined);
          }}
          onClose={() => setDeleted(undefined)}
        >
          <p>Ce type de paiement ne sera plus proposé. Les tickets qui l’ont choisi gardent son nom.</p>
          {deleted.isActive && <p>Pour ne plus le proposer un moment seulement, désactivez-le.</p>}
        </ConfirmDialog>
      )}
    </>
  );
}

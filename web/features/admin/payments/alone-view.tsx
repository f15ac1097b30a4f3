import type { Payment } from '#contract/payments.ts';
import { usePaymentActions } from './payment-actions.tsx';
import { PaymentTable } from './payment-table.tsx';
import { Nothing, View } from './view.tsx';

/** Payments without a ticket. The dialog after the last one stays when the table is gone. */
export function AloneView({ payments }: { payments: readonly Payment[] }) {
  const actions = usePaymentActions();
  return (
    <View title="Sans demande">
      {payments.length === 0 ? (
        <Nothing title="Aucun paiement sans demande">
          Les paiements reçus dont aucune demande ne parle sont montrés ici.
        </Nothing>
      ) : (
        <PaymentTable label="Paiements sans demande" payments={payments} actions={actions} />
      )}
      {actions.dialog}
    </View>
  );
}

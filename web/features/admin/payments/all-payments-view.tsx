import { useCallback } from 'react';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { listPayments, type Payment, paymentFilters, paymentsOnPage } from '#contract/payments.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useList } from '#web/api/use-list.ts';
import { ChoiceField } from '#web/features/admin/shared/fields.tsx';
import { SearchWords } from '#web/features/admin/shared/search-words.tsx';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { formatCount } from '#web/text/formats.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { CardIcon } from '#web/ui/panel-icons.tsx';
import { ListFoot, QueryState } from '#web/ui/query-state.tsx';
import { usePaymentActions } from './payment-actions.tsx';
import { PaymentTable } from './payment-table.tsx';
import { View } from './view.tsx';

const filterWords: Record<(typeof paymentFilters)[number] | '', string> = {
  '': 'Tous les états',
  open: 'Sans ticket',
  matched: 'Reliés à un ticket',
  ignored: 'Ignorés',
  announced: 'Annoncés',
  settled: 'Confirmés',
  failed: 'Échoués',
  reversed: 'Repris',
};

/** Every payment line, the last paid first. */
export function AllPaymentsView({ accounts }: { accounts: readonly PaymentAccount[] }) {
  const actions = usePaymentActions();
  const { values, set } = useTabSearch();
  const search = values.get('recherche') ?? '';
  const state = paymentFilters.find((each) => each === values.get('etat')) ?? '';
  const account = accounts.find(({ id }) => String(id) === values.get('compte'));
  const list = useList(
    listPayments,
    {
      query: {
        ...(search && { q: search }),
        ...(state && { state }),
        ...(account && { account: String(account.id) }),
      },
    },
    { pollEveryMs: pollEveryMs.adminPayments, pageRows: paymentsOnPage, cursor: 'cursor' },
  );
  const onSearch = useCallback((recherche: string) => set({ recherche }), [set]);
  return (
    <View title="Tous les paiements" dialog={actions.dialog}>
      <div className="mb-3 grid grid-cols-2 gap-2.5 *:first:col-span-full md:grid-cols-4 md:*:first:col-span-2">
        <SearchWords
          label="Rechercher un paiement"
          example="Référence, numéro du payeur ou montant"
          words={search}
          onChange={onSearch}
        />
        <ChoiceField label="État" labelHidden options={filterWords} value={state} onChoose={(etat) => set({ etat })} />
        <ChoiceField
          label="Compte"
          labelHidden
          options={{ '': 'Tous les comptes', ...Object.fromEntries(accounts.map(({ id, label }) => [id, label])) }}
          value={account ? String(account.id) : ''}
          onChoose={(compte) => set({ compte })}
        />
      </div>
      <QueryState
        query={list}
        loading="Chargement des paiements..."
        failure="Impossible de charger les paiements."
        empty={<EmptyState Icon={CardIcon} title="Aucun paiement trouvé" />}
      >
        {({ rows, hasMore, total, capped }) => (
          <>
            <PaymentTable label="Paiements" payments={rows} actions={actions} />
            <p className="mt-3 text-soft">
              {`${formatCount(rows.length)} paiement(s) sur ${capped ? 'plus de ' : ''}${formatCount(Math.max(total, rows.length))}`}
            </p>
            <ListFoot hasMore={hasMore} more={list.more} onMore={list.loadMore} />
          </>
        )}
      </QueryState>
    </View>
  );
}

/** Payments without a request. */
export function AloneView({ payments }: { payments: readonly Payment[] }) {
  const actions = usePaymentActions();
  return (
    <View
      title="Sans demande"
      nothing={
        payments.length === 0 && {
          title: 'Aucun paiement sans demande',
          words: 'Les paiements reçus dont aucune demande ne parle sont montrés ici.',
        }
      }
      dialog={actions.dialog}
    >
      <PaymentTable label="Paiements sans demande" payments={payments} actions={actions} />
    </View>
  );
}

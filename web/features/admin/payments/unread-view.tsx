import { useEffect, useRef, useState } from 'react';
import type { PaymentAccount } from '#contract/payment-feed.ts';
import { ignoreMessage, listUnreadMessages, type PaymentMessage } from '#contract/payments.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { HourOrDay } from '#web/features/admin/shared/payment-facts.tsx';
import { RowButton } from '#web/features/admin/shared/row-buttons.tsx';
import { useAttempt } from '#web/features/admin/shared/use-attempt.ts';
import { useRowAction } from '#web/features/admin/shared/use-row-action.ts';
import { Card } from '#web/ui/card.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { RecordDialog } from './record-dialog.tsx';
import { paymentReads } from './use-approve.tsx';
import { View } from './view.tsx';

/** Messages that no pattern knows: a person says whether each is a payment. */
export function UnreadView({ accounts, count }: { accounts: readonly PaymentAccount[]; count: number | undefined }) {
  // Each reading is in the audit log: they are read when the view opens, and when their number changes.
  const query = useEndpoint(listUnreadMessages, {}, { freshForMs: 0 });
  const { refetch } = query;
  const known = useRef(count);
  useEffect(() => {
    if (known.current !== count && known.current !== undefined) refetch();
    known.current = count;
  }, [count, refetch]);
  const call = useCall();
  const attempt = useAttempt();
  const [recorded, setRecorded] = useState<PaymentMessage>();
  const ignore = useRowAction(async ({ id }: PaymentMessage) => {
    const write = async () => {
      await call(ignoreMessage, { params: { id: String(id) } });
      return { title: 'Message ignoré' };
    };
    await attempt(write, { fallback: "Le message n'a pas pu être ignoré." }, ...paymentReads);
  });
  return (
    <View
      title="Messages non lus"
      nothing={
        query.data?.length === 0 && {
          title: 'Aucun message non lu',
          words:
            "Les SMS dont la forme n'est pas connue sont gardés ici 30 jours, pour que vous disiez ce qu'ils sont.",
        }
      }
      dialog={
        recorded && <RecordDialog message={recorded} accounts={accounts} onClose={() => setRecorded(undefined)} />
      }
    >
      <QueryState query={query} loading="Chargement des messages..." failure="Impossible de charger les messages.">
        {(messages) => (
          <ul aria-label="Messages non lus" className="flex flex-col gap-3">
            {messages.map((message) => (
              <li key={message.id}>
                <Card className="flex flex-col gap-2.5">
                  <p className="flex flex-wrap gap-x-2 text-[0.8125rem] text-soft">
                    <span className="wrap-anywhere font-semibold text-ink">
                      {message.sender ?? 'Expéditeur inconnu'}
                    </span>
                    <HourOrDay instant={message.receivedAt} />
                    <span>{accounts.find(({ id }) => id === message.accountId)?.label}</span>
                  </p>
                  {message.why && <p className="font-semibold text-brick text-sm">{message.why}</p>}
                  <p className="wrap-anywhere whitespace-pre-wrap">
                    {message.text ?? <span className="text-soft">Le texte a été effacé après 30 jours.</span>}
                  </p>
                  <div className="flex flex-wrap gap-2 sm:max-w-lg">
                    <RowButton
                      name="C'est un paiement"
                      of={`(message n° ${message.id})`}
                      variant="outline"
                      onClick={() => setRecorded(message)}
                    />
                    <RowButton
                      name="Ce n'est pas un paiement"
                      of={`(message n° ${message.id})`}
                      variant="plain"
                      busy={ignore.busy.has(message.id)}
                      onClick={() => ignore.run(message)}
                    />
                  </div>
                </Card>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
    </View>
  );
}

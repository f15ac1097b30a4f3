import { listSmsDeliveries, type SmsDelivery } from '#contract/sms.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { Badge } from '#web/ui/badge.tsx';
import { type Column, DataTable } from '#web/ui/data-table.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { BellIcon } from '#web/ui/icons.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { gatewayName, kindWords, stateWords } from './sms-gateways.tsx';

const columns: Column<SmsDelivery>[] = [
  { head: 'Date', percent: 14, cell: ({ createdAt }) => <Moment instant={createdAt} /> },
  { head: 'Numéro', percent: 17, cell: ({ recipient }) => <Recipient>{recipient}</Recipient> },
  { head: 'Message', percent: 14, cell: ({ kind }) => kindWords[kind] },
  { head: 'Passerelle', percent: 14, cell: ({ gateway }) => (gateway ? gatewayName(gateway) : '—') },
  { head: 'État', percent: 14, cell: (delivery) => <State delivery={delivery} /> },
  { head: 'Suite', percent: 27, cell: (delivery) => <Outcome delivery={delivery} /> },
];

export function SmsDeliveries() {
  const query = useEndpoint(listSmsDeliveries, {}, { pollEveryMs: pollEveryMs.adminSms });
  return (
    <section aria-labelledby="sms-deliveries-title">
      <h2 id="sms-deliveries-title" className="mb-3 font-bold text-lg">
        Derniers SMS
      </h2>
      <QueryState
        query={query}
        loading="Chargement des derniers SMS..."
        failure="Impossible de charger les derniers SMS."
        empty={<EmptyState Icon={BellIcon} title="Aucun SMS envoyé pour l'instant" />}
      >
        {(deliveries) => (
          <DataTable
            label="Derniers SMS"
            rows={deliveries}
            columns={columns}
            card={(delivery) => (
              <div className="flex flex-col gap-1">
                <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
                  <Recipient>{delivery.recipient}</Recipient>
                  <State delivery={delivery} />
                </div>
                <p className="text-soft text-sm">
                  <span>{`${kindWords[delivery.kind]} · `}</span>
                  <Moment instant={delivery.createdAt} />
                  {delivery.gateway && <span>{` · ${gatewayName(delivery.gateway)}`}</span>}
                </p>
                <p className="text-sm empty:hidden">
                  <Outcome delivery={delivery} />
                </p>
              </div>
            )}
          />
        )}
      </QueryState>
    </section>
  );
}

function Recipient({ children }: { children: string }) {
  return <strong className="font-semibold tabular-nums">{children}</strong>;
}

function State({ delivery: { state } }: { delivery: SmsDelivery }) {
  const { label, tone } = stateWords[state];
  return (
    <Badge small tone={tone}>
      {label}
    </Badge>
  );
}

/** When the message was sent and delivered, or the reason of its failure. */
function Outcome({ delivery: { state, failure, sentAt, deliveredAt } }: { delivery: SmsDelivery }) {
  if (failure && (state === 'failed' || state === 'queued' || state === 'expired'))
    return (
      <span className={state === 'failed' ? 'wrap-anywhere text-brick' : 'wrap-anywhere text-soft'}>{failure}</span>
    );
  if (deliveredAt)
    return (
      <span className="text-soft">
        Remis le <Moment instant={deliveredAt} />
      </span>
    );
  if (!sentAt) return null;
  return (
    <span className="text-soft">
      Parti le <Moment instant={sentAt} />
    </span>
  );
}

import type { SmsGateway } from '#contract/sms.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { formatCount } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Card } from '#web/ui/card.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { gatewayName, gatewayState, namesOf } from './sms-words.ts';

/** The gateways and their countries. */
export function SmsGateways({ gateways }: { gateways: readonly SmsGateway[] }) {
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 className="font-bold text-lg">Passerelles</h2>
        <p className="text-soft">
          Elles se choisissent dans les réglages du serveur, qui disent pour chaque pays dans quel ordre les essayer.
        </p>
      </div>
      {gateways.length === 0 ? (
        <p className="py-4 text-center text-soft">Aucune passerelle n’a encore été annoncée par le serveur.</p>
      ) : (
        <ul className="flex flex-col gap-4">
          {gateways.map((gateway) => (
            <li key={gateway.name} className="flex flex-col gap-2 border-line not-first:border-t not-first:pt-4">
              <Gateway gateway={gateway} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Gateway({ gateway }: { gateway: SmsGateway }) {
  const { name, dialCodes, lastSentAt, lastFailedAt, failure, failuresInARow, balance, balanceAt, balanceFailure } =
    gateway;
  const { label, tone } = gatewayState(gateway);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
        <h3 className="font-semibold">{gatewayName(name)}</h3>
        <Badge tone={tone}>{label}</Badge>
      </div>
      <p className="text-soft text-sm">{namesOf(dialCodes)}</p>
      <Facts>
        <Fact name="Dernier envoi">{lastSentAt ? <Moment instant={lastSentAt} /> : '—'}</Fact>
        {lastFailedAt && (
          <Fact name="Dernier échec">
            <Moment instant={lastFailedAt} />
          </Fact>
        )}
        {(balance !== null || balanceFailure !== null) && (
          <Fact name="Solde">
            {balanceFailure === null ? (
              `${formatCount(balance ?? 0)} SMS`
            ) : (
              <>
                Inconnu
                <span className="wrap-anywhere block text-brick text-sm">{balanceFailure}</span>
              </>
            )}
            {balance !== null && balanceAt && (
              <span className="block text-soft text-sm">
                {balanceFailure !== null && `${formatCount(balance)} SMS `}le <Moment instant={balanceAt} />
              </span>
            )}
          </Fact>
        )}
      </Facts>
      {failure && (
        <p className={failuresInARow > 0 ? 'wrap-anywhere text-brick text-sm' : 'wrap-anywhere text-soft text-sm'}>
          {failure}
        </p>
      )}
    </>
  );
}

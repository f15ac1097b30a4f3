import { findCountry } from '#contract/phone.ts';
import { failuresOfBrokenGateway, type SmsDelivery, type SmsGateway } from '#contract/sms.ts';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { formatCount } from '#web/text/formats.ts';
import { Badge, type Tone } from '#web/ui/badge.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { join } from '#web/ui/join.ts';
import { SectionCard, valuesBeside } from './saved-section.tsx';

export function SmsGateways({ gateways }: { gateways: readonly SmsGateway[] }) {
  return (
    <SectionCard
      title="Passerelles"
      about="Elles se choisissent dans les réglages du serveur, qui disent pour chaque pays dans quel ordre les essayer."
    >
      {gateways.length === 0 ? (
        <p className="py-4 text-center text-soft">Aucune passerelle n'a encore été annoncée par le serveur.</p>
      ) : (
        <ul className="flex flex-col gap-4">
          {gateways.map((gateway) => (
            <li
              key={gateway.name}
              className={join('flex flex-col gap-2 border-line not-first:border-t not-first:pt-4', valuesBeside)}
            >
              <Gateway gateway={gateway} />
            </li>
          ))}
        </ul>
      )}
    </SectionCard>
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
              <span>{`${formatCount(balance ?? 0)} SMS`}</span>
            ) : (
              <span>
                Inconnu
                <span className="wrap-anywhere block text-brick text-sm">{balanceFailure}</span>
              </span>
            )}
            {balance !== null && balanceAt && (
              <span className="block text-soft text-sm">
                <span>{balanceFailure === null ? 'le ' : `${formatCount(balance)} SMS le `}</span>
                <Moment instant={balanceAt} />
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

const gatewayNames: Record<string, string> = {
  console: 'Console du serveur',
  file: 'Fichier du serveur',
  http: 'Passerelle HTTP',
  infobip: 'Infobip',
  orange: 'Orange',
  twilio: 'Twilio',
};

/** A gateway's display name, else its own. */
export const gatewayName = (name: string): string =>
  Object.hasOwn(gatewayNames, name) ? `${gatewayNames[name]}` : name;

/** The countries of calling codes such as '226', in words. */
function namesOf(dialCodes: readonly string[]): string {
  return dialCodes.map((code) => findCountry(`+${code}`)?.name ?? `+${code}`).join(', ');
}

function gatewayState({ failuresInARow, lastSentAt }: SmsGateway): { label: string; tone: Tone } {
  if (failuresInARow > 0)
    return {
      label: failuresInARow === 1 ? '1 échec' : `${failuresInARow} échecs de suite`,
      tone: failuresInARow < failuresOfBrokenGateway ? 'amber' : 'red',
    };
  return lastSentAt ? { label: 'En service', tone: 'green' } : { label: 'Pas encore utilisée', tone: 'grey' };
}

export const kindWords: Record<SmsDelivery['kind'], string> = {
  code: 'Code',
  decision: 'Demande traitée',
  alarm: 'Alarme',
  test: 'Essai',
};

export const stateWords: Record<SmsDelivery['state'], { label: string; tone: Tone }> = {
  queued: { label: 'En attente', tone: 'amber' },
  sent: { label: 'Envoyé', tone: 'indigo' },
  delivered: { label: 'Remis', tone: 'green' },
  undelivered: { label: 'Non remis', tone: 'red' },
  failed: { label: 'Échoué', tone: 'red' },
  expired: { label: 'Trop tard', tone: 'grey' },
};

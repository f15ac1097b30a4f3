import { useState } from 'react';
import type { Dashboard } from '#contract/dashboard.ts';
import { adminTabAddress, incomingPaymentsAddress, paymentAccountsAddress } from '#web/admin-addresses.ts';
import { Link } from '#web/router.tsx';
import { localStore } from '#web/store.ts';
import { formatCounted, formatDate } from '#web/text/formats.ts';
import { Button, buttonClass } from '#web/ui/button.tsx';
import { WarningIcon } from '#web/ui/control-icons.tsx';
import { ChevronIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';

type Alarm = Dashboard['alarms'][number];

const levels = {
  critical: { words: 'À traiter maintenant', look: 'border-brick bg-brick-pale text-brick' },
  warning: { words: 'À surveiller', look: 'border-amber bg-amber-pale text-amber' },
} as const;

const storeKey = 'guichet_alarms_understood';
/** One that begins anew is another one. */
const nameOf = ({ key, since }: Alarm) => `${key} ${since}`;

/** The alarms that were understood in this browser; those that have ended are forgotten. */
function useUnderstood(alarms: readonly Alarm[]) {
  const [names, setNames] = useState(() => new Set((localStore.read(storeKey) ?? '').split('\n')));
  const keep = (next: readonly Alarm[]) => {
    const kept = next.map(nameOf);
    localStore.tryToKeep(storeKey, kept.join('\n'));
    setNames(new Set(kept));
  };
  const understood = alarms.filter((alarm) => names.has(nameOf(alarm)));
  return {
    isUnderstood: (alarm: Alarm) => names.has(nameOf(alarm)),
    understood,
    understand: (alarm: Alarm) => keep([...understood, alarm]),
    forget: () => keep([]),
  };
}

/** The current alarms, a line each, the most severe first. One that a person has understood is out of the way, and counted. */
export function Alarms({ alarms }: { alarms: readonly Alarm[] }) {
  const { isUnderstood, understood, understand, forget } = useUnderstood(alarms);
  const { heading, around } = useFocusFallback();
  return (
    <div role="alert" className="flex flex-col gap-2 empty:hidden lg:col-span-4" {...around}>
      {alarms.length > 0 && (
        <>
          <h2 {...heading} className="sr-only">
            Alarmes
          </h2>
          <ul aria-label="Alarmes" className="flex flex-col gap-2 empty:hidden">
            {alarms.map(
              (alarm) =>
                !isUnderstood(alarm) && (
                  <AlarmLine key={alarm.key} alarm={alarm} onUnderstood={() => understand(alarm)} />
                ),
            )}
          </ul>
          {understood.length > 0 && (
            <Button variant="quiet" small className="self-start" onClick={forget}>
              {`Montrer ${formatCounted(understood.length, 'alarme comprise')}`}
            </Button>
          )}
        </>
      )}
    </div>
  );
}

const button = 'min-h-11! shrink-0 px-3! lg:min-h-9!';

function AlarmLine({
  alarm: { key, level, message, advice, since },
  onUnderstood,
}: {
  alarm: Alarm;
  onUnderstood: () => void;
}) {
  const place = places[key];
  return (
    <li
      className={join(
        'flex flex-wrap items-center gap-x-3 gap-y-1 rounded-card border px-[min(1rem,4.5vw)] py-1.5',
        levels[level].look,
      )}
    >
      <WarningIcon className="size-5 shrink-0" />
      <details className="group min-w-0 flex-1 basis-56 text-ink">
        <summary className="flex min-h-9 list-none items-center gap-2 rounded-lg [&::-webkit-details-marker]:hidden">
          <span className="sr-only">{`${levels[level].words}\u00a0: `}</span>
          <span className="wrap-anywhere min-w-0 max-sm:line-clamp-3 max-sm:group-open:line-clamp-none sm:truncate sm:group-open:whitespace-normal">
            {unbroken(message.slice(0, message.length - advice.length).trim())}
          </span>
          <ChevronIcon className="size-4 shrink-0 transform-[rotate(90deg)] text-soft group-open:transform-[rotate(-90deg)]" />
        </summary>
        <p className="wrap-anywhere">{unbroken(advice)}</p>
        <p className="pb-1 text-small text-soft">{`Depuis le ${formatDate(since)}`}</p>
      </details>
      {place && (
        <Link href={place.href} className={buttonClass({ variant: 'plain', small: true }, button)}>
          <span>
            Voir<span className="sr-only">{` ${place.name}`}</span>
          </span>
        </Link>
      )}
      <Button variant="plain" small className={button} onClick={onUnderstood}>
        Compris
      </Button>
    </li>
  );
}

/** French quotes and signs stay on the line of their word. */
const unbroken = (words: string) => words.replace(/\u00ab | (?=[\u00bb:;?!])/g, (each) => each.replace(' ', '\u00a0'));

const sms = { href: adminTabAddress('settings', 'section=sms'), name: 'les SMS' };
const payments = { href: adminTabAddress('payments'), name: 'Paiements' };
const incoming = { href: incomingPaymentsAddress(''), name: 'Encaissements' };

/** Where an alarm of this key is looked into, if that is in the panel. */
const places: Partial<Record<string, { href: string; name: string }>> = {
  backup: { href: adminTabAddress('settings', 'section=sauvegardes'), name: 'les sauvegardes' },
  'sms-gateway': sms,
  'sms-cap': sms,
  'dial-code': payments,
  merchant: { href: paymentAccountsAddress, name: 'Comptes' },
  catalogue: { href: adminTabAddress('services'), name: 'Services' },
  'payment-feed': { href: incomingPaymentsAddress('non-lus'), name: 'les messages non lus' },
  'payment-balance': incoming,
  'payment-reversal': incoming,
};

import type { Dashboard } from '#contract/dashboard.ts';
import { adminTabAddress, incomingPaymentsAddress } from '#web/admin-addresses.ts';
import { Link } from '#web/router.tsx';
import { formatDate } from '#web/text/formats.ts';
import { Drawing } from '#web/ui/drawing.tsx';
import { join } from '#web/ui/join.ts';

type Alarm = Dashboard['alarms'][number];

const levels = {
  critical: {
    title: 'À traiter maintenant',
    box: 'border-brick bg-brick-pale',
    look: 'text-brick',
    drawing: 'M12 3l9.500 17h-19zM12 10v4m0 3h0',
  },
  warning: {
    title: 'À surveiller',
    box: 'border-amber bg-amber-pale',
    look: 'text-amber',
    drawing: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 8v5m0 3h0',
  },
} as const;

/** The current alarms, those that cannot wait in a box of their own; renders nothing without one. */
export function Alarms({ alarms }: { alarms: readonly Alarm[] }) {
  return (
    <div className="contents bar:min-[700px]:has-[h2]:grid bar:auto-cols-fr bar:grid-flow-col bar:gap-4">
      {(['critical', 'warning'] as const).map((level) => (
        <AlarmBox key={level} level={level} alarms={alarms.filter((alarm) => alarm.level === level)} />
      ))}
    </div>
  );
}

function AlarmBox({ level, alarms }: { level: Alarm['level']; alarms: readonly Alarm[] }) {
  const { title, box, look, drawing } = levels[level];
  return (
    <div
      role="alert"
      // At twice the text size the words get the space.
      className={join('rounded-card border p-[min(1rem,4.5vw)] empty:hidden lg:col-span-4', box)}
    >
      {alarms.length > 0 && (
        <>
          <h2 className={join('font-semibold', look)}>{title}</h2>
          <ul className="mt-2 flex flex-col gap-3">
            {alarms.map(({ key, message, since }) => (
              <li key={key} className="flex gap-[min(0.75rem,3.4vw)]">
                <span className={join('flex h-6 shrink-0 items-center', look)}>
                  <Drawing className="size-[min(1.5rem,6.7vw)]">
                    <path d={drawing} />
                  </Drawing>
                </span>
                <div className="wrap-anywhere min-w-0">
                  <p>{message}</p>
                  <p className="flex flex-wrap gap-x-4 text-soft text-sm">
                    <span>{`Depuis le ${formatDate(since)}`}</span>
                    {places[key] && (
                      <Link href={places[key].href} className="text-leaf underline underline-offset-4">
                        {places[key].name}
                      </Link>
                    )}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

const sms = { href: adminTabAddress('settings', 'section=sms'), name: 'Voir les SMS' };
const payments = { href: adminTabAddress('payments'), name: 'Voir Paiements' };

/** Where an alarm of this key is looked into, if that is in the panel. */
const places: Partial<Record<string, { href: string; name: string }>> = {
  backup: { href: adminTabAddress('settings', 'section=sauvegardes'), name: 'Voir les sauvegardes' },
  'sms-gateway': sms,
  'sms-cap': sms,
  'dial-code': payments,
  merchant: payments,
  catalogue: { href: adminTabAddress('services'), name: 'Voir Services' },
  'payment-feed': { href: incomingPaymentsAddress('non-lus'), name: 'Voir les messages non lus' },
  'payment-balance': { href: incomingPaymentsAddress(''), name: 'Voir Encaissements' },
  'payment-reversal': { href: incomingPaymentsAddress(''), name: 'Voir Encaissements' },
};

import type { Dashboard } from '#contract/dashboard.ts';
import { adminTabAddress, incomingPaymentsAddress, paymentAccountsAddress } from '#web/admin-addresses.ts';
import { Link } from '#web/router.tsx';
import { formatDate } from '#web/text/formats.ts';
import { WarningIcon } from '#web/ui/control-icons.tsx';
import { join } from '#web/ui/join.ts';

type Alarm = Dashboard['alarms'][number];

const levels = {
  critical: { title: 'À traiter maintenant', look: 'border-brick bg-brick-pale text-brick' },
  warning: { title: 'À surveiller', look: 'border-amber bg-amber-pale text-amber' },
} as const;

/** The current alarms, those that cannot wait in a box of their own. */
export function Alarms({ alarms }: { alarms: readonly Alarm[] }) {
  return (['critical', 'warning'] as const).map((level) => (
    <AlarmBox key={level} level={level} alarms={alarms.filter((alarm) => alarm.level === level)} />
  ));
}

function AlarmBox({ level, alarms }: { level: Alarm['level']; alarms: readonly Alarm[] }) {
  const { title, look } = levels[level];
  return (
    <div role="alert" className={join('rounded-card border p-[min(1rem,4.5vw)] empty:hidden lg:col-span-4', look)}>
      {alarms.length > 0 && (
        <>
          <h2 className="flex items-center gap-2.5 font-semibold">
            <WarningIcon className="size-5 shrink-0" />
            {title}
          </h2>
          <ul className="mt-2 flex flex-col gap-3 text-ink">
            {alarms.map(({ key, message, since }) => (
              <li key={key} className="wrap-anywhere min-w-0">
                <p>{unbroken(message)}</p>
                <p className="flex flex-wrap gap-x-4 text-soft text-small">
                  <span>{`Depuis le ${formatDate(since)}`}</span>
                  {places[key] && (
                    <Link href={places[key].href} className="text-leaf underline underline-offset-4">
                      {places[key].name}
                    </Link>
                  )}
                </p>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

/** French quotes and signs stay on the line of their word. */
const unbroken = (words: string) => words.replace(/\u00ab | (?=[\u00bb:;?!])/g, (each) => each.replace(' ', '\u00a0'));

const sms = { href: adminTabAddress('settings', 'section=sms'), name: 'Voir les SMS' };
const payments = { href: adminTabAddress('payments'), name: 'Voir Paiements' };

/** Where an alarm of this key is looked into, if that is in the panel. */
const places: Partial<Record<string, { href: string; name: string }>> = {
  backup: { href: adminTabAddress('settings', 'section=sauvegardes'), name: 'Voir les sauvegardes' },
  'sms-gateway': sms,
  'sms-cap': sms,
  'dial-code': payments,
  merchant: { href: paymentAccountsAddress, name: 'Voir Comptes' },
  catalogue: { href: adminTabAddress('services'), name: 'Voir Services' },
  'payment-feed': { href: incomingPaymentsAddress('non-lus'), name: 'Voir les messages non lus' },
  'payment-balance': { href: incomingPaymentsAddress(''), name: 'Voir Encaissements' },
  'payment-reversal': { href: incomingPaymentsAddress(''), name: 'Voir Encaissements' },
};

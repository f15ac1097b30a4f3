import type { Dashboard } from '#contract/dashboard.ts';
import { adminTabAddress } from '#web/admin-addresses.ts';
import { Link } from '#web/router.tsx';
import { formatCount, formatDate } from '#web/text/formats.ts';
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
                    {backupAlarms.includes(key) && (
                      <Link
                        href={adminTabAddress('settings', 'section=sauvegardes')}
                        className="text-leaf underline underline-offset-4"
                      >
                        Voir les sauvegardes
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

/** The keys of the alarms that the settings' section of backups explains. */
const backupAlarms = ['backup', 'backup-old'];

/** The codes that pay nobody, until the operator puts the merchant number in (P18.7); renders nothing without one. */
export function PlaceholderCodes({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <p className="rounded-card border border-amber bg-amber-pale p-[min(1rem,4.5vw)]">
      <span className="font-semibold">
        {`${count === 1 ? '1 code porte' : `${formatCount(count)} codes portent`} le numéro marchand d'exemple\u00a0: personne ne reçoit cet argent.`}
      </span>{' '}
      À changer dans{' '}
      <Link href={adminTabAddress('payments')} className="text-leaf underline underline-offset-4">
        Paiements
      </Link>{' '}
      et{' '}
      <Link href={adminTabAddress('services')} className="text-leaf underline underline-offset-4">
        Services
      </Link>
      .
    </p>
  );
}

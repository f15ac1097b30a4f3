import type { Dashboard } from '#contract/dashboard.ts';
import { adminTabAddress, adminUserAddress } from '#web/admin-addresses.ts';
import { Link } from '#web/router.tsx';
import { formatCount, formatDate } from '#web/text/formats.ts';
import { Drawing } from '#web/ui/drawing.tsx';
import { join } from '#web/ui/join.ts';

const levels = {
  critical: { word: 'Urgent', look: 'text-brick', drawing: 'M12 3l9.500 17h-19zM12 10v4m0 3h0' },
  warning: { word: 'Attention', look: 'text-amber', drawing: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18M12 8v5m0 3h0' },
} as const;

/** The current alarms; renders nothing without one. */
export function Alarms({ alarms }: { alarms: Dashboard['alarms'] }) {
  const isUrgent = alarms.some(({ level }) => level === 'critical');
  return (
    <div
      role="alert"
      className={join(
        // At twice the text size the words get the space.
        'rounded-card border p-[min(1rem,4.5vw)] empty:hidden lg:col-span-4',
        isUrgent ? 'border-brick bg-brick-pale' : 'border-amber bg-amber-pale',
      )}
    >
      {alarms.length > 0 && (
        <>
          <h2 className="font-semibold">À surveiller</h2>
          <ul className="mt-2 flex flex-col gap-3">
            {alarms.map(({ key, level, message, since }) => {
              const { word, look, drawing } = levels[level];
              return (
                <li key={key} className="flex gap-[min(0.75rem,3.4vw)]">
                  <span className={join('flex h-[1lh] shrink-0 items-center', look)}>
                    <Drawing className="size-[min(1.5rem,6.7vw)]">
                      <path d={drawing} />
                    </Drawing>
                  </span>
                  <div className="wrap-anywhere min-w-0">
                    <p>
                      <span className={join('font-semibold', look)}>{word} : </span>
                      {message}
                    </p>
                    <p className="text-soft text-sm">Depuis le {formatDate(since)}</p>
                  </div>
                </li>
              );
            })}
          </ul>
        </>
      )}
    </div>
  );
}

export function SignInAttacks({ attacks }: { attacks: Dashboard['signInAttacks'] }) {
  return (
    <div role="alert" className="rounded-card border border-amber bg-amber-pale p-4 empty:hidden lg:col-span-4">
      {attacks.length > 0 && (
        <>
          <h2 className="font-semibold">Quelqu’un essaie des mots de passe</h2>
          <ul className="mt-1 flex flex-col">
            {attacks.map(({ userId, name, isAdmin, failures }) => (
              <li key={userId}>
                <Link
                  href={adminUserAddress(userId)}
                  className="inline-flex min-h-11 flex-wrap items-center gap-x-2 rounded-lg"
                >
                  <span className="font-semibold text-leaf underline underline-offset-4">{name}</span>
                  {isAdmin && <span>(administrateur)</span>}
                  <span>{formatCount(failures)} essais manqués de suite</span>
                </Link>
              </li>
            ))}
          </ul>
          <p className="text-soft text-sm">
            Chaque essai attend de plus en plus longtemps. Les propriétaires de ces comptes continuent de se connecter
            depuis leurs appareils habituels ; vérifiez que leurs mots de passe sont longs.{' '}
            <Link href={adminTabAddress('settings', 'section=journal')} className="text-leaf underline">
              Journal d’audit
            </Link>
          </p>
        </>
      )}
    </div>
  );
}

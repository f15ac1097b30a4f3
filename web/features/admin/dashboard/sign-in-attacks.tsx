import type { Dashboard } from '#contract/dashboard.ts';
import { adminTabAddress, adminUserAddress } from '#web/admin-addresses.ts';
import { Link } from '#web/router.tsx';
import { formatCount } from '#web/text/formats.ts';

/** The accounts under a guessing attack. */
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

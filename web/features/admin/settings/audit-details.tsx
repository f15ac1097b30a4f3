import type { AuditEntry } from '#contract/audit.ts';
import { adminAuditOfAddress } from '#web/admin-addresses.ts';
import { Link } from '#web/router.tsx';
import { changesOf } from './audit-words.ts';

const head = 'wrap-anywhere px-2.5 py-1.5 text-left font-medium';
const cell = 'wrap-anywhere border-line border-t px-2.5 py-1.5 text-left align-top';

/** The folded details of an entry: fields before and after, the call, and links. */
export function AuditDetails({ entry }: { entry: AuditEntry }) {
  const { hasBefore, hasAfter, rows } = changesOf(entry);
  return (
    <details>
      <summary className="inline-flex min-h-8 cursor-pointer items-center text-soft underline underline-offset-4 hover:text-ink">
        Détails
      </summary>
      <div className="flex flex-col gap-2 pt-1 pb-2">
        {rows.length > 0 && (
          <table className="w-full table-fixed border-separate border-spacing-0 rounded-xl border border-line bg-ground">
            <thead>
              <tr className="text-soft">
                <th className={head}>Champ</th>
                {hasBefore && <th className={head}>Avant</th>}
                {hasAfter && <th className={head}>{hasBefore ? 'Après' : 'Valeur'}</th>}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ name, before, after }) => (
                <tr key={name}>
                  <th scope="row" className={`${cell} font-normal text-soft`}>
                    {name}
                  </th>
                  {hasBefore && <td className={cell}>{before}</td>}
                  {hasAfter && <td className={cell}>{after}</td>}
                </tr>
              ))}
            </tbody>
          </table>
        )}
        <p className="wrap-anywhere font-mono text-soft text-xs">{entry.action}</p>
        {entry.actor && (
          <Link
            href={adminAuditOfAddress(entry.actor.id)}
            className="inline-flex min-h-6 items-center self-start text-leaf underline underline-offset-4"
          >
            Toutes ses actions
          </Link>
        )}
      </div>
    </details>
  );
}

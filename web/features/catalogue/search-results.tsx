import { useMemo } from 'react';
import type { Service } from '#contract/catalogue.ts';
import { groupByCountry, makeSearch, type ServicePath } from '#web/catalogue/search-services.ts';
import { ServiceRow } from '#web/catalogue/service-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SearchIcon } from '#web/ui/icons.tsx';
import { foundShown } from './limits.ts';
import { headingClass, RowList } from './service-lists.tsx';

interface Props {
  catalogue: Service[];
  typed: string;
  /** The person's own. */
  country: string;
  onOpen: (path: ServicePath) => void;
  onClear: () => void;
}

/** The search results by country, best first within each, with their paths. */
export default function SearchResults({ catalogue, typed, country, onOpen, onClear }: Props) {
  const search = useMemo(() => makeSearch(catalogue), [catalogue]);
  const { paths: found, isNear } = search(typed);
  const ordered = groupByCountry(found, country).flatMap(({ paths }) => paths);
  const shown = ordered.slice(0, foundShown);
  const groups = groupByCountry(shown, country);
  const isGrouped = groups.length > 1;
  const namesAbove = (path: ServicePath) => path.slice(0, -1).map(({ name }) => name);
  const above = shown.map(namesAbove);
  // The names that every path has tell nothing apart: they are said once.
  const shared =
    above.length > 1 ? (above[0] ?? []).filter((name) => above.every((names) => names.includes(name))) : [];
  return (
    <>
      <p role="status" className={found.length === 0 ? 'sr-only' : 'mb-1.5 text-soft text-small'}>
        {countFound(found.length, isNear)}
      </p>
      {shared.length > 0 && <p className="-mt-1 mb-1.5 text-small text-soft">{`Dans ${shared.join(', ')}`}</p>}
      {found.length === 0 ? (
        <EmptyState
          Icon={SearchIcon}
          title={`Aucun service ne correspond à «\u00a0${typed.trim()}\u00a0».`}
          text="Essayez un autre mot, comme le nom d'un opérateur ou d'un pays."
        >
          <Button onClick={onClear}>Voir tous les services</Button>
        </EmptyState>
      ) : (
        groups.map((group) => (
          <section key={group.country} className="mt-4 first-of-type:mt-3">
            {isGrouped && <h2 className={headingClass}>{group.country || 'Tous les pays'}</h2>}
            <RowList>
              {group.paths.map((path) => (
                <ServiceRow
                  key={path.at(-1)?.id}
                  service={path.at(-1) as Service}
                  above={namesAbove(path)}
                  path={namesAbove(path).filter(
                    (name) => !shared.includes(name) && !(isGrouped && name === group.country),
                  )}
                  onSelect={() => onOpen(path)}
                />
              ))}
            </RowList>
          </section>
        ))
      )}
    </>
  );
}

function countFound(count: number, isNear: boolean): string {
  if (count === 0) return 'Aucun résultat';
  if (isNear) return 'Aucun résultat exact. Les plus proches\u00a0:';
  if (count > foundShown) return `Les ${foundShown} premiers résultats sur ${count}`;
  return count === 1 ? '1 résultat' : `${count} résultats`;
}

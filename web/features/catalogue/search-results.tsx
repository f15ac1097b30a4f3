import { useMemo } from 'react';
import type { Service } from '#contract/catalogue.ts';
import { makeSearch, type ServicePath } from '#web/catalogue/search-services.ts';
import { ServiceRow } from '#web/catalogue/service-card.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { SearchIcon } from '#web/ui/icons.tsx';
import { foundShown } from './limits.ts';
import { RowList } from './service-lists.tsx';

/** The search results, best first, each with its path. */
export default function SearchResults({
  catalogue,
  typed,
  onOpen,
  onClear,
}: {
  catalogue: Service[];
  typed: string;
  onOpen: (path: ServicePath) => void;
  onClear: () => void;
}) {
  const search = useMemo(() => makeSearch(catalogue), [catalogue]);
  const found = search(typed);
  const shown = found.slice(0, foundShown);
  return (
    <>
      <p role="status" className={found.length === 0 ? 'sr-only' : 'mb-1.5 font-bold text-soft text-sm'}>
        {countFound(found.length)}
      </p>
      {found.length === 0 ? (
        <EmptyState Icon={SearchIcon} title={`Aucun service ne correspond à «\u00a0${typed.trim()}\u00a0».`}>
          <Button variant="plain" onClick={onClear}>
            Voir tous les services
          </Button>
        </EmptyState>
      ) : (
        <RowList>
          {shown.map((path) => {
            const service = path.at(-1) as Service;
            return (
              <ServiceRow
                key={service.id}
                service={service}
                path={path.slice(0, -1).map(({ name }) => name)}
                onSelect={() => onOpen(path)}
              />
            );
          })}
        </RowList>
      )}
    </>
  );
}

function countFound(count: number): string {
  if (count === 0) return 'Aucun résultat';
  if (count > foundShown) return `Les ${foundShown} premiers résultats sur ${count}`;
  return count === 1 ? '1 résultat' : `${count} résultats`;
}

import { useMemo, useState } from 'react';
import type { Service } from '#contract/catalogue.ts';
import { type CountryGroup, groupByCountry, makeSearch } from '#web/catalogue/search-services.ts';
import { ServiceRow } from '#web/catalogue/service-card.tsx';
import type { ServicePath } from '#web/catalogue/service-paths.ts';
import { formatCounted } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ChevronIcon, SearchIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { foundShown, suggestedToSearch, unfoldedAtMost } from './limits.ts';
import { suggestServices } from './own-orders.ts';
import { headingClass, RowList } from './service-lists.tsx';

interface Props {
  catalogue: Service[];
  typed: string;
  /** The person's own. */
  country: string;
  onOpen: (path: ServicePath) => void;
  onClear: () => void;
}

const namesAbove = (path: ServicePath) => path.slice(0, -1).map(({ name }) => name);

/** The search results by country, best first within each, with their paths. One's own country is open, others with their counts. */
export default function SearchResults({ catalogue, typed, country, onOpen, onClear }: Props) {
  const search = useMemo(() => makeSearch(catalogue), [catalogue]);
  const { paths: found, isNear } = search(typed);
  const groups = groupByCountry(found, country);
  const above = found.map(namesAbove);
  // The names that every path has tell nothing apart: they are said once.
  const shared =
    above.length > 1 ? (above[0] ?? []).filter((name) => above.every((names) => names.includes(name))) : [];
  if (found.length === 0) return <NothingFound {...{ catalogue, typed, country, onOpen, onClear }} />;
  return (
    <>
      <p role="status" className="mb-1.5 text-small text-soft">
        {isNear ? 'Aucun résultat exact. Les plus proches\u00a0:' : formatCounted(found.length, 'résultat')}
      </p>
      {shared.length > 0 && <p className="-mt-1 mb-1.5 text-small text-soft">{`Dans ${shared.join(', ')}`}</p>}
      {groups.map((group, place) => (
        <Group
          key={`${typed} ${group.country}`}
          group={group}
          isAlone={groups.length === 1}
          isOpenAtFirst={place === 0 || !group.country || group.country === country || found.length <= unfoldedAtMost}
          shared={shared}
          onOpen={onOpen}
        />
      ))}
    </>
  );
}

function Group({
  group: { country, paths },
  isAlone,
  isOpenAtFirst,
  shared,
  onOpen,
}: {
  group: CountryGroup;
  isAlone: boolean;
  isOpenAtFirst: boolean;
  shared: string[];
  onOpen: Props['onOpen'];
}) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const name = country || 'Tous les pays';
  return (
    <section className="mt-3 first-of-type:mt-2">
      {!isAlone &&
        (isOpenAtFirst ? (
          <h2 className={headingClass}>{name}</h2>
        ) : (
          <h2 className={join(cardClass, isOpen && 'mb-2')}>
            <button
              type="button"
              aria-expanded={isOpen}
              onClick={() => setOpen(!isOpen)}
              className="flex min-h-12 w-full items-center gap-2 rounded-card px-4 text-left font-semibold text-body hover:bg-leaf-pale/40"
            >
              <span className="flex-1">{name}</span>
              <span className="font-normal text-soft tabular-nums">{paths.length}</span>
              <ChevronIcon
                className={join(
                  'size-5 text-leaf',
                  isOpen ? 'transform-[rotate(-90deg)]' : 'transform-[rotate(90deg)]',
                )}
              />
            </button>
          </h2>
        ))}
      {isOpen && (
        <>
          <RowList single>
            {paths.slice(0, foundShown).map((path) => (
              <ServiceRow
                key={path.at(-1)?.id}
                service={path.at(-1) as Service}
                above={namesAbove(path)}
                path={namesAbove(path).filter((each) => !shared.includes(each) && !(!isAlone && each === country))}
                onSelect={() => onOpen(path)}
              />
            ))}
          </RowList>
          {paths.length > foundShown && (
            <p className="mt-1.5 text-small text-soft">{`Les ${foundShown} premiers sur ${paths.length}. Ajoutez un mot pour préciser.`}</p>
          )}
        </>
      )}
    </section>
  );
}

function NothingFound({ catalogue, typed, country, onOpen, onClear }: Props) {
  const suggested = suggestServices(catalogue, country, suggestedToSearch);
  return (
    <>
      <p role="status" className="sr-only">
        Aucun résultat
      </p>
      <EmptyState
        Icon={SearchIcon}
        title={`Aucun service ne correspond à «\u00a0${typed.trim()}\u00a0».`}
        text="Essayez un autre mot, comme le nom d'un opérateur ou d'un pays."
      >
        <Button onClick={onClear}>Voir tous les services</Button>
      </EmptyState>
      {suggested.length > 0 && (
        <section>
          <h2 className={headingClass}>Souvent cherchés</h2>
          <RowList single>
            {suggested.map((path) => (
              <ServiceRow
                key={path.at(-1)?.id}
                service={path.at(-1) as Service}
                path={namesAbove(path)}
                onSelect={() => onOpen(path)}
              />
            ))}
          </RowList>
        </section>
      )}
    </>
  );
}

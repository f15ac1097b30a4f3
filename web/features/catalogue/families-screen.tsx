import { useState } from 'react';
import { navigate, useSearch } from '#web/router.tsx';
import { readSearched, searchAddress } from '#web/search-address.ts';
import { useAuth } from '#web/session/auth.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LayersIcon } from '#web/ui/icons.tsx';
import { Column, useHeadingFocus } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { OwnServices } from './own-services.tsx';
import { SearchField } from './search-field.tsx';
import { SearchResults } from './search-results.tsx';
import { failure, loading } from './sentences.ts';
import { GridSkeleton, ServiceGrid } from './service-lists.tsx';
import { useCatalogue } from './use-catalogue.ts';
import { useLevel } from './use-level.ts';
import { useOpen } from './use-open.ts';

/** The first level, under a greeting and a search through all levels, and what one ordered before. */
export function FamiliesScreen() {
  const { user } = useAuth();
  const typed = readSearched(useSearch());
  const [isFocused, setFocused] = useState(false);
  const catalogue = useCatalogue({ wanted: isFocused || typed !== '' });
  const { level } = useLevel([], catalogue.data);
  const open = useOpen();
  const greeting = `Bonjour ${user?.isGuest ? 'Invité' : user?.firstName}`;
  const heading = useHeadingFocus(greeting);
  // In place of the entry, so that the back button leaves home and takes nobody through what they typed.
  const look = (words: string) => navigate(searchAddress(words), { replace: true });
  return (
    <Column wide>
      <div className="mb-2 flex flex-col gap-2 md:mt-2 md:mb-4 md:flex-row md:items-center md:justify-between">
        <div className="leading-tight">
          <h1 {...heading} className="wrap-anywhere font-bold text-xl leading-tight outline-none">
            {greeting}
          </h1>
          <p className="text-sm text-soft leading-tight">Que souhaitez-vous faire aujourd’hui ?</p>
        </div>
        <SearchField typed={typed} onType={look} onFocus={() => setFocused(true)} />
      </div>
      {typed.trim() ? (
        <QueryState query={catalogue} loading={loading} skeleton={<SkeletonRows text={loading} />} failure={failure}>
          {(services) => <SearchResults catalogue={services} typed={typed} onOpen={open} onClear={() => look('')} />}
        </QueryState>
      ) : (
        <>
          <h2 className="mb-1.5 font-bold text-soft text-sm leading-tight">Nos Services</h2>
          <QueryState query={level} loading={loading} skeleton={<GridSkeleton text={loading} />} failure={failure}>
            {(families) =>
              families.length === 0 ? (
                <EmptyState Icon={LayersIcon} title="Aucun service disponible à ce niveau." />
              ) : (
                <ServiceGrid services={families} onSelect={(family) => open([family])} />
              )
            }
          </QueryState>
          {user && !user.isGuest && level.data && <OwnServices user={user} catalogue={catalogue.data} onOpen={open} />}
        </>
      )}
    </Column>
  );
}

import { useState } from 'react';
import { listServices } from '#contract/catalogue.ts';
import { listUserTickets } from '#contract/tickets.ts';
import { freshForMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import { navigate, useSearch } from '#web/router.tsx';
import { readSearched, searchAddress } from '#web/search-address.ts';
import { useAuth } from '#web/session/auth.tsx';
import { Chunk, part } from '#web/shell/chunk.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LayersIcon } from '#web/ui/icons.tsx';
import { Column, useHeadingFocus } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { SearchField } from './search-field.tsx';
import { failure, loading } from './sentences.ts';
import { GridSkeleton, ServiceGrid } from './service-lists.tsx';
import { childrenIn, useCatalogue } from './use-catalogue.ts';
import { useOpen } from './use-open.ts';

/**
 * Content below the families, or in their place, has its own files: the families do not wait for it on a slow
 * connection.
 */
const ownServices = part(() => import('./own-services.tsx'));
const searchResults = part(() => import('./search-results.tsx'));

export const familiesParts = [ownServices, searchResults];

/** The first level, with a greeting, a search through all levels, and earlier orders. */
export function FamiliesScreen() {
  const { user } = useAuth();
  const typed = readSearched(useSearch());
  const [isFocused, setFocused] = useState(false);
  const catalogue = useCatalogue({ wanted: isFocused || typed !== '' });
  const families = useEndpoint(listServices, { query: {} }, { freshForMs: freshForMs.services, keep: true });
  const level = { ...families, data: families.data ?? childrenIn(catalogue.data, undefined) };
  const tickets = useList(
    listUserTickets,
    { params: { userId: String(user?.id) } },
    { keep: true, enabled: user?.isGuest === false },
  ).data?.rows;
  const open = useOpen();
  const greeting = `Bonjour ${user?.isGuest ? 'Invité' : user?.firstName}`;
  const heading = useHeadingFocus(greeting);
  const prepareSearch = () => {
    setFocused(true);
    searchResults.fetch().catch(() => {});
  };
  // Replaces the history entry, so that the back button leaves home at once.
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
        <SearchField typed={typed} onType={look} onFocus={prepareSearch} />
      </div>
      {typed.trim() ? (
        <QueryState query={catalogue} loading={loading} failure={failure}>
          {(services) => (
            <Chunk
              of={searchResults}
              given={{ catalogue: services, typed, onOpen: open, onClear: () => look('') }}
              waiting={<SkeletonRows text={loading} />}
            />
          )}
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
          {user && level.data && tickets && tickets.length > 0 && (
            <Chunk of={ownServices} given={{ user, tickets, catalogue: catalogue.data, onOpen: open }} waiting={null} />
          )}
        </>
      )}
    </Column>
  );
}

import { type ComponentProps, useEffect, useState } from 'react';
import { listServices, type Service } from '#contract/catalogue.ts';
import { findCountry } from '#contract/phone.ts';
import { listUserTickets } from '#contract/tickets.ts';
import { CreateAccount } from '#web/account/create-account.tsx';
import { readSearched, searchAddress } from '#web/addresses.ts';
import { freshForMs, pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useList } from '#web/api/use-list.ts';
import { navigate, useSearch } from '#web/router.tsx';
import { useAuth } from '#web/session/auth.tsx';
import { Chunk, part } from '#web/shell/chunk.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ChevronIcon, LayersIcon } from '#web/ui/icons.tsx';
import { join } from '#web/ui/join.ts';
import { Column, useHeadingFocus } from '#web/ui/page.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { useFocusFallback } from '#web/ui/use-focus-fallback.ts';
import { ownTicketsWaitMs } from './limits.ts';
import { OwnRequests } from './own-requests.tsx';
import { QuickServices } from './quick-services.tsx';
import { SearchField } from './search-field.tsx';
import { GridSkeleton, headingClass, ServiceGrid } from './service-lists.tsx';
import { childrenIn, failure, loading, useCatalogue, useOpen } from './use-catalogue.ts';

/** Letters of a greeting from which on it is drawn smaller, so that it stays on two lines. */
const longGreeting = 22;

/** What home does not wait for on a slow connection. */
const searchResults = part(() => import('./search-results.tsx'));

export const familiesParts = [searchResults];

/** The person's requests; nothing moves under a finger when they come late, see `isEarly`. */
function useOwnTickets(hasFamilies: boolean) {
  const { user } = useAuth();
  const hasAccount = user?.isGuest === false;
  const [polls, setPolls] = useState(false);
  const list = useList(
    listUserTickets,
    { params: { userId: String(user?.id) } },
    { keep: true, enabled: hasAccount, ...(polls && { pollEveryMs: pollEveryMs.userTickets }) },
  );
  const tickets = list.data?.rows ?? [];
  const waits = tickets.some(({ status }) => status === 'pending');
  // A decision ends the waiting: only then has a poll something to tell.
  if (polls !== waits) setPolls(waits);
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), ownTicketsWaitMs);
    return () => clearTimeout(timer);
  }, []);
  const isKnown = !hasAccount || list.data !== undefined || list.isError || list.isPaused;
  const isDrawn = hasFamilies && (isKnown || isLate);
  /** Whether there were any before the families were first drawn: they stand above them. Later ones stand below. */
  const [isEarly, setEarly] = useState<boolean>();
  if (isDrawn && isEarly === undefined) setEarly(tickets.length > 0);
  return { tickets, isDrawn, isEarly };
}

/** The first level, with a greeting, a search through all levels, and earlier orders. */
export function FamiliesScreen() {
  const { user } = useAuth();
  const typed = readSearched(useSearch());
  const [isFocused, setFocused] = useState(false);
  const catalogue = useCatalogue({ wanted: isFocused || typed !== '' });
  const families = useEndpoint(listServices, { query: {} }, { freshForMs: freshForMs.services, keep: true });
  const level = { ...families, data: families.data ?? childrenIn(catalogue.data, undefined) };
  const own = useOwnTickets(level.data !== undefined);
  const open = useOpen();
  const greeting = `Bonjour ${user?.isGuest ? 'Invité' : user?.firstName}`;
  const heading = useHeadingFocus(greeting);
  const lost = useFocusFallback();
  const prepareSearch = () => {
    setFocused(true);
    searchResults.fetch().catch(() => {});
  };
  // Replaces the history entry, so that the back button leaves home at once.
  const look = (words: string) => navigate(searchAddress(words), { replace: true });
  const isSearching = typed.trim() !== '';
  return (
    <Column>
      <div
        className={join(
          'cloth -mt-1.5 flex flex-col gap-3 rail:flex-row rail:items-center rail:justify-between',
          // On a phone the results get the greeting's place.
          isSearching ? 'cloth-low mb-3 pt-1 pb-3.5 rail:pt-3' : 'mb-5 pt-5 short:pt-3',
        )}
      >
        <div className={join('leading-tight', isSearching && 'max-md:sr-only short:sr-only')}>
          <h1
            {...heading}
            className={join(
              'wrap-anywhere line-clamp-2 hyphens-none font-bold leading-tight outline-none',
              greeting.length > longGreeting ? 'text-title' : 'text-display',
            )}
          >
            {greeting}
          </h1>
          <p className="mt-1 text-body text-white/80 leading-tight">Que souhaitez-vous faire aujourd'hui&nbsp;?</p>
        </div>
        <SearchField typed={typed} onType={look} onFocus={prepareSearch} />
      </div>
      {user?.isGuest && !isSearching && (
        <p className="-mt-3 mb-1">
          <CreateAccount className="inline-flex min-h-11 items-center gap-1 font-semibold text-body text-leaf hover:underline">
            Créer un compte pour commander <ChevronIcon className="size-4" />
          </CreateAccount>
        </p>
      )}
      {isSearching ? (
        <QueryState query={catalogue} loading={loading} failure={failure}>
          {(services) => (
            <Chunk
              of={searchResults}
              given={{
                catalogue: services,
                typed,
                country: findCountry(user?.countryCode ?? '')?.name ?? '',
                onOpen: open,
                onClear: () => look(''),
              }}
              waiting={<SkeletonRows text={loading} />}
            />
          )}
        </QueryState>
      ) : (
        <Families level={level} catalogue={catalogue} own={own} lost={lost} onOpen={open} />
      )}
    </Column>
  );
}

interface FamiliesProps {
  level: ComponentProps<typeof QueryState<Service[]>>['query'];
  catalogue: ReturnType<typeof useCatalogue>;
  own: ReturnType<typeof useOwnTickets>;
  lost: ReturnType<typeof useFocusFallback<HTMLHeadingElement>>;
  onOpen: ReturnType<typeof useOpen>;
}

/** The first level, with the person's requests or a few quick services. */
function Families({ level, catalogue, own, lost, onOpen }: FamiliesProps) {
  const { user } = useAuth();
  return (
    <div className="flex flex-col" {...lost.around}>
      {user && own.isEarly !== undefined && own.tickets.length > 0 && (
        <div className={own.isEarly ? 'mb-5' : 'order-1 mt-5'}>
          <OwnRequests tickets={own.tickets} catalogue={catalogue.data} ownPhone={user.phone} />
        </div>
      )}
      <h2
        // Another one than the placeholder's, which the person's requests would push down.
        key={String(own.isDrawn)}
        {...lost.heading}
        className={join(headingClass, 'outline-none')}
      >
        Nos Services
      </h2>
      <QueryState
        query={own.isDrawn || !level.data ? level : { ...level, data: undefined, isPending: true, isPaused: false }}
        loading={loading}
        skeleton={<GridSkeleton text={loading} />}
        failure={failure}
        empty={<EmptyState Icon={LayersIcon} title="Aucun service disponible à ce niveau." text="Revenez plus tard." />}
      >
        {(families) => (
          <ServiceGrid
            services={families}
            catalogue={catalogue.data}
            isExpected={catalogue.data !== undefined || !(catalogue.isPaused || catalogue.isError)}
            onOpen={onOpen}
          />
        )}
      </QueryState>
      {user && own.isDrawn && own.tickets.length === 0 && catalogue.data && (
        <QuickServices catalogue={catalogue.data} countryCode={user.countryCode} onOpen={onOpen} />
      )}
    </div>
  );
}

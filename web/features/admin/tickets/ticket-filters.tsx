import { useState } from 'react';
import { type TicketStatus, ticketStatuses } from '#contract/tickets.ts';
import { SearchWords } from '#web/features/admin/shared/search-words.tsx';
import { ticketStatusLabel } from '#web/text/ticket-status.ts';
import { Button } from '#web/ui/button.tsx';
import { SelectField } from '#web/ui/field.tsx';
import { type Period, periods, type useTicketFilter } from './ticket-filter.ts';
import { UserDialog } from './user-dialog.tsx';
import { UserFilterName } from './user-filter-name.tsx';

type Filter = ReturnType<typeof useTicketFilter>;

// Two fit side by side on the narrowest phones, with their longest words whole.
const selectClass = 'max-sm:px-2 max-[22.4rem]:text-[0.8125rem]';

/** Filters by words, status, period and user. */
export function TicketFilters({ filter, set }: Pick<Filter, 'filter' | 'set'>) {
  const [choosing, setChoosing] = useState(false);
  return (
    <div className="mb-3 grid grid-cols-2 gap-2.5 *:first:col-span-2 xl:grid-cols-[1fr_auto_auto_auto] xl:*:first:col-span-1">
      <SearchWords
        label="Rechercher un ticket ou un service"
        words={filter.search}
        onChange={(recherche) => set({ recherche })}
      />
      <SelectField
        label="Statut"
        labelHidden
        className={selectClass}
        value={filter.status}
        onChange={(event) => set({ statut: event.target.value as TicketStatus | '' })}
      >
        <option value="">Tous les statuts</option>
        {ticketStatuses.map((each) => (
          <option key={each} value={each}>
            {ticketStatusLabel(each).label}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Date"
        labelHidden
        className={selectClass}
        value={filter.period}
        onChange={(event) => set({ periode: event.target.value as Period | '' })}
      >
        <option value="">Toutes les dates</option>
        {Object.entries(periods).map(([name, label]) => (
          <option key={name} value={name}>
            {label}
          </option>
        ))}
      </SelectField>
      <div className="col-span-2 flex gap-1.5 xl:col-span-1">
        <Button variant="plain" tight className="min-w-0 flex-1 font-normal!" onClick={() => setChoosing(true)}>
          {filter.userId ? <UserFilterName userId={filter.userId} /> : 'Tous les utilisateurs'}
        </Button>
        {filter.userId && (
          <Button
            variant="quiet"
            tight
            aria-label="Tous les utilisateurs"
            onClick={() => set({ utilisateur: undefined })}
          >
            ✕
          </Button>
        )}
      </div>
      {choosing && (
        <UserDialog
          onClose={() => setChoosing(false)}
          onChoose={(id) => {
            setChoosing(false);
            set({ utilisateur: String(id) });
          }}
        />
      )}
    </div>
  );
}

import { useMemo } from 'react';
import { readUser } from '#contract/accounts.ts';
import type { auditActors, auditOutcomes } from '#contract/audit.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { dayOf, endOf, isDay, startOf } from '#web/features/admin/shared/calendar-day.ts';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import { Field } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { useToday } from '#web/ui/use-now.ts';

export function AuditFilters({
  filter,
  set,
  isOpen,
}: Pick<ReturnType<typeof useAuditFilter>, 'filter' | 'set'> & {
  /** On a phone, whether the days are shown. */
  isOpen: boolean;
}) {
  const folded = isOpen ? undefined : 'max-md:hidden';
  const today = dayOf(useToday());
  const backwards = filter.from && filter.to && filter.to < filter.from;
  return (
    <div className="mb-3 flex flex-col gap-2.5">
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9.5rem),1fr))] gap-2.5">
        <SelectField label="Qui" value={filter.who} onChange={(event) => set({ qui: event.target.value })}>
          <option value="">Tout le monde</option>
          <option value="administrateurs">Administrateurs</option>
          <option value="autres">Autres</option>
        </SelectField>
        <SelectField
          label="Résultat"
          value={filter.outcome}
          onChange={(event) => set({ resultat: event.target.value })}
        >
          <option value="">Tous</option>
          <option value="fait">Fait</option>
          <option value="refuse">Refusé</option>
        </SelectField>
        <div className={folded}>
          <Field
            label="Du"
            type="date"
            max={today}
            value={filter.from}
            onChange={(event) => set({ du: event.target.value })}
          />
        </div>
        <div className={folded}>
          <Field
            label="Au"
            type="date"
            max={today}
            value={filter.to}
            error={backwards ? 'La fin précède le début.' : undefined}
            onChange={(event) => set({ au: event.target.value })}
          />
        </div>
      </div>
      {filter.actorId && (
        <p className="flex max-w-full items-center gap-1 self-start rounded-full border border-leaf/40 bg-leaf-pale pl-4">
          <span className="truncate">
            Actions de <ActorName userId={filter.actorId} />
          </span>
          <button
            type="button"
            aria-label="Montrer les actions de tous"
            onClick={() => set({ acteur: undefined })}
            className="flex size-11 shrink-0 items-center justify-center rounded-full hover:bg-card"
          >
            <CrossIcon className="size-4" />
          </button>
        </p>
      )}
    </div>
  );
}

function ActorName({ userId }: { userId: number }) {
  const { data } = useEndpoint(readUser, { params: { id: String(userId) } });
  return <strong>{data ? `${data.firstName} ${data.lastName}` : `l'utilisateur n° ${userId}`}</strong>;
}

type Actors = (typeof auditActors)[number];
type Outcome = (typeof auditOutcomes)[number];

/** Words of the address and their values in the query. */
const actorsByWord: Record<string, Actors> = { administrateurs: 'administrators', autres: 'others' };
const outcomeByWord: Record<string, Outcome> = { fait: 'done', refuse: 'refused' };

/** The filter in the tab's address; invalid values are ignored. */
export function readAuditFilter(values: URLSearchParams) {
  const word = (name: string, known: Record<string, unknown>) => {
    const value = values.get(name) ?? '';
    return Object.hasOwn(known, value) ? value : '';
  };
  const day = (name: string) => {
    const value = values.get(name) ?? '';
    return isDay(value) ? value : '';
  };
  const actor = values.get('acteur') ?? '';
  return {
    actorId: /^[1-9]\d{0,9}$/.test(actor) && Number(actor) < 2 ** 31 ? Number(actor) : undefined,
    who: word('qui', actorsByWord),
    outcome: word('resultat', outcomeByWord),
    /** Calendar days, both included. */
    from: day('du'),
    to: day('au'),
  };
}

/** The filter as a query; days begin and end in this browser's time zone. */
export function auditQuery({ actorId, who, outcome, from, to }: ReturnType<typeof readAuditFilter>) {
  const [actors, ended] = [actorsByWord[who], outcomeByWord[outcome]];
  return {
    ...(actorId && { actorId: String(actorId) }),
    ...(actors && { actors }),
    ...(ended && { outcome: ended }),
    ...(from && { from: startOf(from).toISOString() }),
    ...(to && { to: endOf(to).toISOString() }),
  };
}

export function useAuditFilter() {
  const { values, set } = useTabSearch();
  const filter = useMemo(() => readAuditFilter(values), [values]);
  return { filter, query: auditQuery(filter), set };
}

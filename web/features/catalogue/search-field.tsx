import { useRef } from 'react';
import { searchLength } from '#contract/shapes.ts';
import { CrossIcon } from '#web/ui/control-icons.tsx';
import { SearchIcon } from '#web/ui/icons.tsx';

const label = 'Rechercher un service';

/** The search field, cleared by its cross or the Escape key. */
export function SearchField({
  typed,
  onType,
  onFocus,
}: {
  typed: string;
  onType: (typed: string) => void;
  onFocus: () => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const empty = () => {
    onType('');
    field.current?.focus();
  };
  return (
    <search className="relative block text-ink rail:w-80">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          // The results are already there: closes the phone's keyboard.
          field.current?.blur();
        }}
      >
        <SearchIcon className="pointer-events-none absolute top-1/2 left-[min(1rem,4.5vw)] size-[min(1.5rem,6.7vw)] transform-[translateY(-50%)] text-soft" />
        <input
          ref={field}
          type="search"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-label={label}
          placeholder={label}
          maxLength={searchLength}
          value={typed}
          onChange={(event) => onType(event.target.value)}
          onFocus={onFocus}
          onKeyDown={(event) => event.key === 'Escape' && empty()}
          className="block min-h-12 w-full rounded-2xl border border-edge bg-card pr-[min(3rem,13.4vw)] pl-[min(3rem,13.4vw)] text-ellipsis text-large placeholder:text-[min(var(--text-body),5.2vw)] placeholder:text-soft [&::-webkit-search-cancel-button]:hidden"
        />
        {typed && (
          <button
            type="button"
            aria-label="Effacer la recherche"
            onClick={empty}
            className="absolute inset-y-0 right-0 flex w-[min(3rem,13.4vw)] items-center justify-center rounded-full text-soft hover:text-ink"
          >
            <CrossIcon className="size-5" />
          </button>
        )}
      </form>
    </search>
  );
}

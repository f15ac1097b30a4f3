import { useState } from 'react';
import { keep, readKept } from '#web/api/kept-answers.ts';
import { Button } from '#web/ui/button.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';
import { recentSearchesShown } from './limits.ts';

const place = 'searches';
const readSearches = (userId: number) => readKept<string[]>(userId, place, {})?.data ?? [];

/** Notes a search that led to a service; the newest come first. It goes with the person's sign-out. */
export function recordSearch(userId: number, typed: string): void {
  const words = typed.trim();
  const others = readSearches(userId).filter((each) => each.toLowerCase() !== words.toLowerCase());
  keep(userId, place, {}, { data: [words, ...others].slice(0, recentSearchesShown) });
}

/** What was searched before, below the empty search field. */
export function RecentSearches({ userId, onChoose }: { userId: number; onChoose: (words: string) => void }) {
  const [searches, setSearches] = useState(() => readSearches(userId));
  if (searches.length === 0) return null;
  const forget = () => {
    keep(userId, place, {}, { data: [] });
    setSearches([]);
  };
  return (
    <div className={join(cardClass, 'absolute inset-x-0 top-full z-10 mt-1.5 p-1.5 shadow-lg')}>
      <div className="flex items-center justify-between gap-2 pl-2">
        <h2 className="font-bold text-soft text-sm">Recherches récentes</h2>
        <Button variant="quiet" tight onClick={forget}>
          Effacer
        </Button>
      </div>
      <ul>
        {searches.map((words) => (
          <li key={words}>
            <button
              type="button"
              className="wrap-anywhere min-h-11 w-full rounded-lg px-2 text-left hover:bg-leaf-pale"
              onClick={() => onChoose(words)}
            >
              {words}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

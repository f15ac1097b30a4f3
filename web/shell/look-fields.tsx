import { useSyncExternalStore } from 'react';
import { localStore } from '#web/store.ts';
import { choiceClass, radioClass } from '#web/ui/choice.ts';
import { type Look, lookKey, readLook, saveLook } from './look.ts';

const themes: Record<Look['theme'], string> = { phone: "Comme l'appareil", light: 'Clair', dark: 'Sombre' };

/** The theme of this browser; a choice applies at once. */
export function LookFields() {
  const { theme } = readLook(useSyncExternalStore(listen, () => localStore.read(lookKey)));
  return (
    <fieldset className="@container min-w-0">
      <legend className="mb-1.5 font-semibold text-body">Thème</legend>
      <div className="grid @lg:grid-cols-3 gap-2">
        {(Object.entries(themes) as [Look['theme'], string][]).map(([value, label]) => (
          <label key={value} className={choiceClass(theme === value, 'min-h-12')}>
            <input
              type="radio"
              name="theme"
              checked={theme === value}
              onChange={() => saveLook({ theme: value })}
              className={radioClass}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

function listen(onChange: () => void): () => void {
  addEventListener('storage', onChange);
  return () => removeEventListener('storage', onChange);
}

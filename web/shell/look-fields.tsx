import { useMemo, useSyncExternalStore } from 'react';
import { localStore } from '#web/store.ts';
import { choiceClass, radioClass } from '#web/ui/choice.ts';
import { type Look, lookKey, readLook, saveLook } from './look.ts';

/** The theme and the text size of this browser; a choice applies at once. */
export function LookFields() {
  const stored = useSyncExternalStore(listen, () => localStore.read(lookKey));
  const look = useMemo(() => readLook(stored), [stored]);
  return (
    <div className="flex flex-col gap-5">
      <Choice
        legend="Thème"
        name="theme"
        options={{ phone: "Comme l'appareil", light: 'Clair', dark: 'Sombre' }}
        look={look}
      />
      <Choice
        legend="Taille du texte"
        name="text"
        options={{ normal: 'Normal', large: 'Grand', larger: 'Très grand' }}
        look={look}
      />
    </div>
  );
}

function listen(onChange: () => void): () => void {
  addEventListener('storage', onChange);
  return () => removeEventListener('storage', onChange);
}

function Choice<Name extends keyof Look>({
  legend,
  name,
  options,
  look,
}: {
  legend: string;
  name: Name;
  options: Record<Look[Name], string>;
  look: Look;
}) {
  return (
    <fieldset className="@container min-w-0">
      <legend className="mb-1.5 font-semibold text-sm">{legend}</legend>
      <div className="grid @lg:grid-cols-3 gap-2">
        {(Object.entries(options) as [Look[Name], string][]).map(([value, label]) => {
          const chosen = look[name] === value;
          return (
            <label key={value} className={choiceClass(chosen, 'min-h-12')}>
              <input
                type="radio"
                name={name}
                checked={chosen}
                onChange={() => saveLook({ ...look, [name]: value })}
                className={radioClass}
              />
              {label}
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

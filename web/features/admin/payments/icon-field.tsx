import { Field } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';

const example = '💳';

/** Emojis are hard to type on a computer. */
const suggestions = [
  ['📱', 'Téléphone'],
  ['💵', 'Billets'],
  ['🪙', 'Pièces'],
  ['🏦', 'Banque'],
  ['🌊', 'Vague'],
  ['🟠', 'Rond orange'],
] as const;

/** An emoji: a suggestion, or any other. */
export function IconField({
  icon,
  error,
  onChange,
}: {
  icon: string;
  error?: string | undefined;
  onChange: (icon: string) => void;
}) {
  return (
    <div className="flex flex-col gap-1.5">
      <Field
        label="Icône"
        placeholder={example}
        hint="Un emoji, affiché quand il n’y a pas d’image."
        error={error}
        value={icon}
        onChange={(event) => onChange(event.target.value)}
      />
      <fieldset className="flex min-w-0 flex-wrap gap-1.5">
        <legend className="sr-only">Icônes proposées</legend>
        {suggestions.map(([emoji, words]) => (
          <button
            key={emoji}
            type="button"
            aria-label={words}
            aria-pressed={icon === emoji}
            onClick={() => onChange(icon === emoji ? '' : emoji)}
            className={join(
              'flex size-11 items-center justify-center rounded-xl border text-xl',
              icon === emoji ? 'border-leaf bg-leaf-pale' : 'border-line hover:bg-ground',
            )}
          >
            {emoji}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

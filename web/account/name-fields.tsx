import { Field } from '#web/ui/field.tsx';

interface Names {
  firstName?: string | undefined;
  lastName?: string | undefined;
}

/** The fields of a person's name, on one row where both fit; `typed` has what they begin with. */
export function NameFields({ typed, errors }: { typed: Names; errors: Names }) {
  return (
    <div className="flex flex-wrap gap-3 *:grow *:basis-36">
      {(['firstName', 'lastName'] as const).map((name) => (
        <Field
          key={name}
          label={name === 'firstName' ? 'Prénom' : 'Nom'}
          name={name}
          autoComplete={name === 'firstName' ? 'given-name' : 'family-name'}
          autoCapitalize="words"
          spellCheck={false}
          enterKeyHint="next"
          defaultValue={typed[name]}
          error={errors[name]}
        />
      ))}
    </div>
  );
}

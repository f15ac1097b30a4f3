import { PasswordField } from '#web/ui/field.tsx';

/** A new password, typed twice; `name` is its name in the contract. */
export function NewPasswordFields({
  name,
  label,
  errors,
  typed = {},
}: {
  name: 'password' | 'newPassword';
  label: string;
  errors: Record<string, string>;
  typed?: Record<string, string>;
}) {
  return (
    <>
      <PasswordField
        label={label}
        name={name}
        autoComplete="new-password"
        enterKeyHint="next"
        hint="6 caractères au moins."
        defaultValue={typed[name]}
        error={errors[name]}
      />
      <PasswordField
        label="Confirmer le mot de passe"
        name="confirmPassword"
        autoComplete="new-password"
        enterKeyHint="done"
        defaultValue={typed.confirmPassword}
        error={errors.confirmPassword}
      />
    </>
  );
}

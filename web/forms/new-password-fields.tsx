import { PasswordField } from '#web/ui/field.tsx';

/** A new password, typed twice; `name` is its name in the contract. */
export function NewPasswordFields({
  name,
  label,
  errors,
}: {
  name: 'password' | 'newPassword';
  label: string;
  errors: Record<string, string>;
}) {
  return (
    <>
      <PasswordField
        label={label}
        name={name}
        autoComplete="new-password"
        enterKeyHint="next"
        hint="6 caractères au moins."
        error={errors[name]}
      />
      <PasswordField
        label="Confirmer le mot de passe"
        name="confirmPassword"
        autoComplete="new-password"
        enterKeyHint="done"
        error={errors.confirmPassword}
      />
    </>
  );
}

import { PasswordField } from '#web/ui/field.tsx';

/** A password to choose, typed twice; `name` is what the contract calls it. */
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
        hint="6 caractères au moins."
        error={errors[name]}
      />
      <PasswordField
        label="Confirmer le mot de passe"
        name="confirmPassword"
        autoComplete="new-password"
        error={errors.confirmPassword}
      />
    </>
  );
}

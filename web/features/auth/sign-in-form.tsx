import type { FormEvent } from 'react';
import { signIn, signInForm } from '#contract/auth.ts';
import { formatPhone } from '#contract/phone.ts';
import { addresses } from '#web/addresses.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { formValues, readForm } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useFormErrors } from '#web/forms/use-form-errors.ts';
import { keepTyped, readTyped, useKept } from '#web/forms/use-kept.tsx';
import { Link, navigate } from '#web/router.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field, PasswordField } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { keepForCode } from './kept-for-code.ts';
import { useEnter } from './use-enter.ts';

export function SignInForm() {
  const call = useCall();
  const enter = useEnter();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const { form, errors, setErrors } = useFormErrors();
  const { typed, onInput } = useKept('sign-in');
  const submit = useAction(async (sent: HTMLFormElement) => {
    const read = readForm(signInForm, formValues(sent));
    setErrors(read.errors ?? {});
    if (!read.data) return;
    try {
      const { user } = await call(signIn, { body: read.data });
      toast({ title: 'Connexion réussie', description: `Bienvenue ${user.firstName}!` });
      enter(user);
    } catch (error) {
      toastFailure(error, { title: 'Erreur de connexion', fallback: 'Identifiants incorrects.' });
      if (hasCode(error, 'PHONE_NOT_VERIFIED') && error.failure.phone) {
        keepForCode('verificationPhone', error.failure.phone);
        navigate(addresses.otp, { step: true });
      }
      // An account activated by an administrator has no password: the person chooses one.
      if (hasCode(error, 'PASSWORD_UNSET') && error.failure.phone) {
        keepTyped('forgot-password', { phoneOrEmail: formatPhone(error.failure.phone) });
        navigate(addresses.forgotPassword, { step: true });
      }
    }
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit.run(event.currentTarget);
  };

  /** Carries the number over to the forgotten-password screen. */
  const carryName = () => {
    const name = readTyped('sign-in').phoneOrEmail;
    if (name) keepTyped('forgot-password', { phoneOrEmail: name });
  };

  return (
    <form ref={form} onSubmit={onSubmit} onInput={onInput} noValidate className="flex flex-col gap-4">
      <Field
        label="Téléphone ou e-mail"
        name="phoneOrEmail"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="next"
        placeholder="70 12 34 56"
        defaultValue={typed.phoneOrEmail}
        error={errors.phoneOrEmail}
      />
      <PasswordField
        label="Mot de passe"
        name="password"
        autoComplete="current-password"
        enterKeyHint="go"
        defaultValue={typed.password}
        error={errors.password}
      />
      <Link
        href={addresses.forgotPassword}
        step
        onClick={carryName}
        className="-mt-3 -mb-2 flex min-h-11 items-center self-end font-semibold text-leaf text-sm"
      >
        Mot de passe oublié ?
      </Link>
      <Button type="submit" busy={submit.busy}>
        {submit.busy ? 'Connexion...' : 'Se connecter'}
      </Button>
    </form>
  );
}

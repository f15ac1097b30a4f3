import type { FormEvent } from 'react';
import { Link, useLocation } from 'wouter';
import { signIn, signInForm } from '#contract/auth.ts';
import { useAuth } from '#web/api/session.tsx';
import { useAction } from '#web/api/use-action.ts';
import { paths } from '#web/paths.ts';
import { failureSentence, hasCode } from '#web/text/failures.ts';
import { formValues, readForm } from '#web/text/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, PasswordField } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { useFormErrors } from '#web/ui/use-form-errors.ts';
import { keepPending } from './pending.ts';
import { useEnter } from './use-enter.ts';

export function SignInForm() {
  const { call } = useAuth();
  const enter = useEnter();
  const [, navigate] = useLocation();
  const toast = useToast();
  const { form, errors, setErrors } = useFormErrors();
  const submit = useAction(async (sent: HTMLFormElement) => {
    const read = readForm(signInForm, formValues(sent));
    setErrors(read.errors ?? {});
    if (!read.data) return;
    try {
      const { user } = await call(signIn, { body: read.data });
      toast({ title: 'Connexion réussie', description: `Bienvenue ${user.firstName}!` });
      enter(user);
    } catch (error) {
      toast({
        ...{ title: 'Erreur de connexion', destructive: true },
        description: failureSentence(error, 'Identifiants incorrects.'),
      });
      if (!hasCode(error, 'PHONE_NOT_VERIFIED') || !error.failure.phone) return;
      keepPending('verification', error.failure.phone);
      navigate(paths.otp);
    }
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit.run(event.currentTarget);
  };

  return (
    <form ref={form} onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <Field
        label="Téléphone ou e-mail"
        name="phoneOrEmail"
        autoComplete="username"
        placeholder="70 12 34 56"
        error={errors.phoneOrEmail}
      />
      <PasswordField label="Mot de passe" name="password" autoComplete="current-password" error={errors.password} />
      <Button type="submit" pending={submit.pending}>
        {submit.pending ? 'Connexion...' : 'Se connecter'}
      </Button>
      <Link
        href={paths.forgotPassword}
        className="inline-flex min-h-11 items-center self-center px-3 text-leaf underline"
      >
        Mot de passe oublié ?
      </Link>
    </form>
  );
}

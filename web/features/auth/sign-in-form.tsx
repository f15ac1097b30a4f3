import { signIn, signInForm } from '#contract/auth.ts';
import { addresses } from '#web/addresses.ts';
import { ApiError, hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { readForm } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { keepTyped, readTyped, useKept } from '#web/forms/use-kept.ts';
import { Link, navigate } from '#web/router.tsx';
import { failureSentence } from '#web/text/failures.ts';
import { adviceOn } from '#web/ui/advice.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, PasswordField } from '#web/ui/field.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { keepForCode } from './kept-for-code.ts';
import { useEnter } from './use-enter.ts';

/** Carries the number over to the forgotten-password screen, which takes no e-mail address. */
function carryName(name = ''): void {
  if (name && !name.includes('@')) keepTyped('forgot-password', { phoneOrEmail: name });
}

/** Signs in, or leads to the screen of the code or of a forgotten password. */
function useSignIn() {
  const call = useCall();
  const enter = useEnter();
  const toast = useToast();
  return useForm({
    read: (values) => readForm(signInForm, values),
    send: async (body) => {
      const { user } = await call(signIn, { body });
      enter(user);
      return { title: 'Connexion réussie', description: `Bienvenue ${user.firstName}!` };
    },
    failure: (error, { phoneOrEmail: name }) => {
      const fallback = error instanceof ApiError ? 'Identifiants incorrects.' : adviceOn(error);
      if (hasCode(error, 'PHONE_NOT_VERIFIED') && error.failure.phone) {
        keepForCode('verificationPhone', error.failure.phone);
        navigate(addresses.otp, { step: true });
        // The next step, not a failure of the person's.
        toast({ title: 'Erreur de connexion', description: failureSentence(error, fallback), neutral: true });
        return {};
      }
      // An account that is guessed at takes no password here.
      if (hasCode(error, 'RESET_NEEDED')) {
        carryName(name);
        navigate(addresses.forgotPassword, { step: true });
      }
      // The toast goes, the reason stays until one types.
      const errors = { refused: failureSentence(error, fallback) };
      return { words: { title: 'Erreur de connexion', fallback, always: true }, errors };
    },
  });
}

export function SignInForm() {
  const { typed, onInput } = useKept('sign-in');
  const { form, errors, busy } = useSignIn();

  return (
    <form {...form} onInput={onInput} className="flex flex-col gap-4">
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
        error={errors.password}
      />
      {errors.refused && <p className="text-brick">{errors.refused}</p>}
      <Link
        href={addresses.forgotPassword}
        step
        onClick={() => carryName(readTyped('sign-in').phoneOrEmail)}
        className="-mt-3 -mb-2 flex min-h-11 items-center self-end font-semibold text-leaf text-body"
      >
        Mot de passe oublié ?
      </Link>
      <Button type="submit" busy={busy}>
        {busy ? 'Connexion...' : 'Se connecter'}
      </Button>
    </form>
  );
}

import { useRef, useState } from 'react';
import { signUp, signUpForm } from '#contract/auth.ts';
import { defaultCountryCode, formatPhone } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { NameFields } from '#web/account/name-fields.tsx';
import { addresses } from '#web/addresses.ts';
import { hasCode } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { keepFormKey } from '#web/forms/form-key.ts';
import { groupPhone, type TypedPhone } from '#web/forms/grouped-typing.ts';
import { NewPasswordFields } from '#web/forms/new-password-fields.tsx';
import { PhoneField } from '#web/forms/phone-field.tsx';
import { readForm, serverErrors } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { keepTyped, useKept } from '#web/forms/use-kept.ts';
import { navigate } from '#web/router.tsx';
import { failureSentence } from '#web/text/failures.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { keepForCode } from './kept-for-code.ts';

/** Validates with the contract's schema and the phone rules before sending. */
function readSignUp(values: Record<string, string>) {
  const read = readForm(signUpForm, values);
  const phone = values.phone?.trim() ? readPhone(values.phone, values.countryCode ?? defaultCountryCode) : undefined;
  if (!phone || 'e164' in phone) return read;
  return { errors: { ...read.errors, phone: phone.problem } };
}

/** The number in the form that signs in from any country. */
function signInName({ phone, countryCode }: { phone: string; countryCode: string }): string {
  const read = readPhone(phone, countryCode);
  return 'e164' in read ? formatPhone(read.e164) : phone;
}

/** Signs up, and leads to the screen of the code. */
function useSignUp() {
  const call = useCall();
  /** A number that already has an account. */
  const [taken, setTaken] = useState<string>();
  const form = useForm({
    read: (values) => {
      setTaken(undefined);
      return readSignUp(values);
    },
    send: async (body) => {
      const { user } = await call(signUp, { body, idempotencyKey: keepFormKey('sign-up') });
      keepForCode('verificationPhone', user.phone);
      navigate(addresses.otp, { step: true });
      return { title: 'Inscription réussie', description: 'Un code de vérification vous a été envoyé par SMS.' };
    },
    failure: (error, sent) => {
      const fallback = "Une erreur est survenue lors de l'inscription.";
      const words = { title: "Erreur d'inscription", fallback, always: true };
      if (!hasCode(error, 'PHONE_TAKEN')) return { words, errors: serverErrors(error) };
      setTaken(signInName(sent));
      return { words, errors: { phone: failureSentence(error, '') } };
    },
  });
  return { ...form, taken };
}

/** `onSignIn` leads to the sign-in form, with the number that already has an account. */
export default function SignUpForm({ onSignIn }: { onSignIn: () => void }) {
  const { typed, onInput } = useKept('sign-up');
  const [phone, setPhone] = useState<TypedPhone>(() =>
    groupPhone({ text: typed.phone ?? '', caret: 0 }, typed.countryCode ?? defaultCountryCode),
  );
  const { form, errors, busy, taken } = useSignUp();
  const [wantsEmail, setWantsEmail] = useState(Boolean(typed.email));
  const hasEmail = wantsEmail || errors.email !== undefined;
  const email = useRef<HTMLInputElement>(null);

  return (
    <form {...form} onInput={onInput} className="flex flex-col gap-3">
      <NameFields typed={typed} errors={errors} />
      <PhoneField
        label="Téléphone"
        name="phone"
        codeName="countryCode"
        value={phone}
        onChange={setPhone}
        // The sign-in name: a password manager stores it with the password.
        autoComplete="username"
        enterKeyHint="next"
        error={errors.phone}
        hint="Un code y sera envoyé par SMS."
      />
      {taken !== undefined && (
        <Button
          variant="plain"
          onClick={() => {
            keepTyped('sign-in', { phoneOrEmail: taken });
            onSignIn();
          }}
        >
          Se connecter
        </Button>
      )}
      {!hasEmail && (
        <button
          type="button"
          className="-my-2 flex min-h-11 items-center self-start font-semibold text-body text-leaf hover:underline"
          onClick={() => {
            setWantsEmail(true);
            setTimeout(() => email.current?.focus());
          }}
        >
          + Ajouter un e-mail
        </button>
      )}
      {/* Folded, since few have one. */}
      <div hidden={!hasEmail}>
        <Field
          ref={email}
          label="E-mail (facultatif)"
          name="email"
          type="email"
          autoComplete="email"
          autoCapitalize="none"
          spellCheck={false}
          enterKeyHint="next"
          defaultValue={typed.email}
          hint="Pour vous connecter aussi par e-mail."
          error={errors.email}
        />
      </div>
      <NewPasswordFields name="password" label="Mot de passe" errors={errors} />
      <Button type="submit" busy={busy}>
        {busy ? 'Inscription...' : "S'inscrire"}
      </Button>
    </form>
  );
}

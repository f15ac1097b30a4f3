import { type ComponentType, useEffect, useRef, useState } from 'react';
import {
  forgotPassword,
  forgotPasswordForm,
  resendOtp,
  resendResetOtp,
  resetPassword,
  resetPasswordForm,
  verifyOtp,
  verifyResetOtp,
} from '#contract/auth.ts';
import { countries, countryOf, defaultCountryCode, formatPhone, nationalDigits } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { addresses, codeAddresses, findAddress } from '#web/addresses.ts';
import { hasCode, makeKey, NoAnswer } from '#web/api/client.ts';
import { useCall } from '#web/api/use-call.ts';
import { keepFormKey } from '#web/forms/form-key.ts';
import { groupPhone, type TypedPhone } from '#web/forms/grouped-typing.ts';
import { NewPasswordFields } from '#web/forms/new-password-fields.tsx';
import { PhoneField } from '#web/forms/phone-field.tsx';
import { readForm } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { forgetTyped, keepTyped, readTyped, useKept } from '#web/forms/use-kept.ts';
import { goBack, leaveSteps, navigate, Redirect, usePath } from '#web/router.tsx';
import { dropResetToken, keepResetToken, readResetToken, resetTokenLeftMs } from '#web/session/reset-token.ts';
import { ClothTitle } from '#web/shell/cloth-title.tsx';
import { failureSentence } from '#web/text/failures.ts';
import { Button } from '#web/ui/button.tsx';
import { Column } from '#web/ui/page.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { CodeScreen } from './code-screen.tsx';
import { dropKept, readKept } from './code-state.ts';
import { keepForCode } from './kept-for-code.ts';
import { useEnter } from './use-enter.ts';

/** The screen of each code address, complete by its type. */
const screens: Record<keyof typeof codeAddresses, ComponentType> = {
  otp: OtpPage,
  forgotPassword: ForgotPasswordPage,
  forgotPasswordOtp: ResetCodePage,
  resetPassword: ResetPasswordPage,
};

/** The screens around a code; a chunk that the first screen does not load. */
export default function CodeScreens() {
  const path = usePath();
  const Screen = screens[findAddress(codeAddresses, path) ?? 'otp'];
  // Leaving these screens removes their data for the next person.
  useEffect(
    () => () => {
      if (!findAddress(codeAddresses, location.pathname)) dropResetToken();
    },
    [],
  );
  return <Screen />;
}

function OtpPage() {
  const call = useCall();
  const enter = useEnter();
  const toast = useToast();
  /** The answer to the right code was lost: the account exists and needs a sign-in. */
  const orSignIn = (phone: string) => (error: unknown) => {
    if (!hasCode(error, 'ALREADY_VERIFIED')) throw error;
    dropKept('verificationPhone');
    toast({ title: 'Vérification réussie', description: failureSentence(error, 'Connectez-vous.') });
    forgetTyped('auth', 'sign-in', 'sign-up');
    keepTyped('sign-in', { phoneOrEmail: formatPhone(phone) });
    leaveSteps(addresses.auth);
  };
  return (
    <CodeScreen
      purpose="signup"
      before={addresses.auth}
      onBack={(phone) => {
        if (readTyped('sign-up').phone || readTyped('sign-in').phoneOrEmail) return;
        keepTyped('auth', { tab: 'Inscription' });
        keepTyped('sign-up', { countryCode: countryOf(phone)?.code ?? '', phone: nationalDigits(phone) });
      }}
      verify={async (body) => {
        const answer = await call(verifyOtp, { body }).catch(orSignIn(body.phone));
        if (!answer) return undefined;
        dropKept('verificationPhone');
        enter(answer.user);
        return { title: 'Vérification réussie', description: `Bienvenue ${answer.user.firstName}!` };
      }}
      resend={async (phone) => (await call(resendOtp, { body: { phone } }).catch(orSignIn(phone)))?.retryAfter}
    />
  );
}

function ResetCodePage() {
  const call = useCall();
  /** A retry after a lost answer is the same exchange. */
  const [idempotencyKey] = useState(makeKey);
  return (
    <CodeScreen
      purpose="reset"
      before={addresses.forgotPassword}
      onBack={(phone) => {
        if (!readTyped('forgot-password').phoneOrEmail)
          keepTyped('forgot-password', { phoneOrEmail: formatPhone(phone) });
      }}
      verify={async (body) => {
        const { token } = await call(verifyResetOtp, { body, idempotencyKey });
        keepResetToken(token);
        // The code is spent: its screen leaves the history.
        navigate(addresses.resetPassword, { replace: true });
        return { title: 'Code vérifié', description: 'Choisissez votre nouveau mot de passe.' };
      }}
      resend={async (phone) => (await call(resendResetOtp, { body: { phone } })).retryAfter}
    />
  );
}

function ForgotPasswordPage() {
  const call = useCall();
  const { typed, onInput } = useKept('forgot-password');
  const [phone, setPhone] = useState<TypedPhone>(() => {
    const text = typed.phoneOrEmail ?? '';
    // Of a number that was typed without a country, the first that has such numbers.
    const fitting = countries.find(({ code }) => 'e164' in readPhone(text, code))?.code;
    return groupPhone({ text, caret: 0 }, typed.code ?? fitting ?? defaultCountryCode);
  });
  const { form, errors, busy } = useForm({
    // The contract's message names an e-mail, which this screen does not offer.
    read: ({ phoneOrEmail = '' }) => {
      if (!phoneOrEmail.trim()) return { errors: { phoneOrEmail: 'Saisissez votre numéro de téléphone.' } };
      const read = readPhone(phoneOrEmail, phone.code);
      if (!('e164' in read)) return { errors: { phoneOrEmail: read.problem } };
      return readForm(forgotPasswordForm, { phoneOrEmail: read.e164 });
    },
    send: async (body) => {
      const { phone } = await call(forgotPassword, { body, idempotencyKey: keepFormKey('forgot-password') });
      keepForCode('resetPhone', phone);
      navigate(addresses.forgotPasswordOtp, { step: true });
      return { title: 'Code envoyé', description: 'Un code de réinitialisation vous a été envoyé par SMS.' };
    },
    failure: (error) => {
      const fallback = 'Utilisateur non trouvé ou numéro invalide.';
      // An unknown number is told at its field, where it is mended.
      if (hasCode(error, 'USER_NOT_FOUND')) return { errors: { phoneOrEmail: failureSentence(error, fallback) } };
      return { words: { fallback } };
    },
  });

  return (
    <Column narrow>
      <ClothTitle step="1 sur 3" onBack={() => goBack(addresses.auth)}>
        Mot de passe oublié
      </ClothTitle>
      <form {...form} onInput={onInput} className="flex flex-col gap-4 pt-1">
        <p>Un code vous sera envoyé par SMS pour choisir un nouveau mot de passe.</p>
        <PhoneField
          label="Numéro de téléphone"
          name="phoneOrEmail"
          codeName="code"
          value={phone}
          onChange={setPhone}
          autoComplete="username"
          enterKeyHint="send"
          hint="Celui de votre compte."
          error={errors.phoneOrEmail}
        />
        <Button type="submit" busy={busy}>
          {busy ? 'Envoi...' : 'Envoyer le code'}
        </Button>
      </form>
    </Column>
  );
}

function ResetPasswordPage() {
  const call = useCall();
  const [token] = useState(readResetToken);
  const kept = readKept('resetPhone');
  const phone = kept && formatPhone(kept);
  useEffect(() => {
    const timer = setTimeout(dropResetToken, resetTokenLeftMs());
    return () => clearTimeout(timer);
  }, []);
  /** Whether an earlier try may have reached the server: then a spent token means success. */
  const unanswered = useRef(false);
  /** Treats a spent token after such a try as success. */
  const orDone = (error: unknown) => {
    if (!unanswered.current || !hasCode(error, 'TOKEN_INVALID')) throw error;
    return {
      title: 'Mot de passe sans doute changé',
      description: "Connectez-vous avec le nouveau mot de passe\u00a0; s'il est refusé, recommencez.",
    };
  };
  const { form, errors, busy } = useForm({
    read: (values) => readForm(resetPasswordForm, { ...values, token }),
    send: async (body) => {
      const done = await call(resetPassword, { body }).then(() => undefined, orDone);
      forgetTyped('auth', 'sign-in', 'forgot-password');
      if (phone) keepTyped('sign-in', { phoneOrEmail: phone });
      dropKept('resetPhone');
      leaveSteps(addresses.auth);
      return done ?? { title: 'Mot de passe réinitialisé', description: 'Vous pouvez maintenant vous connecter.' };
    },
    failure: (error) => {
      unanswered.current = error instanceof NoAnswer;
      return { words: { fallback: 'Impossible de réinitialiser le mot de passe.' }, errors: {} };
    },
  });
  if (!token) return <Redirect to={addresses.forgotPassword} />;

  return (
    <Column narrow>
      <ClothTitle step="3 sur 3" onBack={() => goBack(addresses.forgotPassword)}>
        Nouveau mot de passe
      </ClothTitle>
      <form {...form} className="flex flex-col gap-4 pt-1">
        {/* Password managers store the new password under it. */}
        <input type="text" autoComplete="username" value={phone ?? ''} readOnly hidden />
        {phone && (
          <p>
            Pour le compte <strong className="inline-block tabular-nums">{phone}</strong>
          </p>
        )}
        <NewPasswordFields name="newPassword" label="Nouveau mot de passe" errors={errors} />
        <Button type="submit" busy={busy}>
          {busy ? 'Enregistrement...' : 'Enregistrer'}
        </Button>
      </form>
    </Column>
  );
}

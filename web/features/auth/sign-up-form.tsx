import { type FormEvent, useState } from 'react';
import { useLocation } from 'wouter';
import { signUp, signUpForm } from '#contract/auth.ts';
import { countries, defaultCountryCode, findCountry, phonePlaceholder, readPhone } from '#contract/phone.ts';
import { addresses } from '#web/addresses.ts';
import { useCall } from '#web/api/use-call.ts';
import { formValues, readForm, serverErrors } from '#web/forms/read-form.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useFormErrors } from '#web/forms/use-form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Field, inputClass, Labelled } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { useToast } from '#web/ui/toast.tsx';
import { keepForCode } from './kept-for-code.ts';
import { NewPasswordFields } from './new-password-fields.tsx';

/** The contract's complaints, and the phone's own, before anything is sent. */
function readSignUp(form: HTMLFormElement) {
  const values = formValues(form);
  const read = readForm(signUpForm, values);
  const phone = values.phone?.trim() ? readPhone(values.phone, values.countryCode ?? defaultCountryCode) : undefined;
  if (!phone || 'e164' in phone) return read;
  return { errors: { ...read.errors, phone: phone.problem } };
}

export function SignUpForm() {
  const call = useCall();
  const [, navigate] = useLocation();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const { form, errors, setErrors } = useFormErrors();
  const [countryCode, setCountryCode] = useState<string>(defaultCountryCode);
  const country = findCountry(countryCode);
  const submit = useAction(async (sent: HTMLFormElement) => {
    const read = readSignUp(sent);
    setErrors(read.errors ?? {});
    if (!('data' in read) || !read.data) return;
    try {
      const { user } = await call(signUp, { body: read.data });
      keepForCode('verificationPhone', user.phone);
      toast({ title: 'Inscription réussie', description: 'Un code de vérification vous a été envoyé par SMS.' });
      navigate(addresses.otp);
    } catch (error) {
      setErrors(serverErrors(error));
      toastFailure(error, {
        title: "Erreur d'inscription",
        fallback: "Une erreur est survenue lors de l'inscription.",
      });
    }
  });
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    void submit.run(event.currentTarget);
  };

  return (
    <form ref={form} onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
      <div className="grid gap-4 min-[26rem]:grid-cols-2">
        <Field label="Prénom" name="firstName" autoComplete="given-name" error={errors.firstName} />
        <Field label="Nom" name="lastName" autoComplete="family-name" error={errors.lastName} />
      </div>
      <Labelled label="Téléphone" error={errors.phone} hint="Un code vous sera envoyé par SMS à ce numéro.">
        {(control) => (
          <div className="flex flex-wrap gap-2">
            <select
              name="countryCode"
              aria-label="Indicatif du pays"
              value={countryCode}
              onChange={(event) => setCountryCode(event.target.value)}
              className={join(inputClass, 'w-auto max-w-full grow basis-28')}
            >
              {countries.map(({ code, flag, name }) => (
                <option key={code} value={code}>
                  {flag} {code} {name}
                </option>
              ))}
            </select>
            <input
              {...control}
              name="phone"
              type="tel"
              inputMode="tel"
              autoComplete="tel-national"
              placeholder={country && phonePlaceholder(country)}
              className={join(inputClass, 'w-auto min-w-0 grow-[2] basis-44')}
            />
          </div>
        )}
      </Labelled>
      <Field label="E-mail (facultatif)" name="email" type="email" autoComplete="email" error={errors.email} />
      <NewPasswordFields name="password" label="Mot de passe" errors={errors} />
      <Button type="submit" busy={submit.busy}>
        {submit.busy ? 'Inscription...' : "S'inscrire"}
      </Button>
    </form>
  );
}

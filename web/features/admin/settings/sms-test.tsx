import { type FormEvent, useState } from 'react';
import { defaultCountryCode, formatPhone, readPhone } from '#contract/phone.ts';
import { listSmsDeliveries, readSms, sendTestSms } from '#contract/sms-panel.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import type { TypedPhone } from '#web/forms/grouped-typing.ts';
import { PhoneField } from '#web/forms/phone-field.tsx';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useFormErrors } from '#web/forms/use-form-errors.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { useToast } from '#web/ui/toast.tsx';

/** Sends a test message; the list below shows its delivery. */
export function SmsTest() {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const [phone, setPhone] = useState<TypedPhone>({ code: defaultCountryCode, number: '' });
  const { form, errors, setErrors } = useFormErrors();
  const send = useAction(async () => {
    const read = readPhone(phone.number, phone.code);
    const problem = phone.number.trim() ? ('problem' in read ? read.problem : '') : 'Saisissez un numéro de téléphone.';
    setErrors(problem ? { phone: problem } : {});
    if (!('e164' in read)) return;
    try {
      await call(sendTestSms, { body: { phone: read.e164 } });
      toast({ title: 'SMS d’essai en route', description: `Vers le ${formatPhone(read.e164)}.` });
    } catch (error) {
      toastFailure(error, { fallback: 'Le SMS d’essai n’a pas pu partir.' });
    }
    await refresh(readSms, listSmsDeliveries);
  });
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void send.run();
  };
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 className="font-bold text-lg">SMS d’essai</h2>
        <p className="text-soft">Envoyez-vous un message pour vérifier que les passerelles fonctionnent.</p>
      </div>
      <form ref={form} onSubmit={onSubmit} noValidate className="flex flex-col gap-4">
        <PhoneField
          label="Numéro de téléphone"
          name="phone"
          value={phone}
          onChange={(typed) => {
            setErrors({});
            setPhone(typed);
          }}
          error={errors.phone}
        />
        <Button type="submit" variant="outline" className="sm:self-end" busy={send.busy}>
          {send.busy ? 'Envoi...' : 'Envoyer un SMS d’essai'}
        </Button>
      </form>
    </Card>
  );
}

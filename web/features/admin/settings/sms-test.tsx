import { useState } from 'react';
import { defaultCountryCode, formatPhone, readPhone } from '#contract/phone.ts';
import { listSmsDeliveries, readSms, sendTestSms } from '#contract/sms.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import type { TypedPhone } from '#web/forms/grouped-typing.ts';
import { PhoneField } from '#web/forms/phone-field.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { useToast } from '#web/ui/toast.tsx';

/** Sends a test message; the list below shows its delivery. */
export function SmsTest() {
  const call = useCall();
  const refresh = useRefresh();
  const toast = useToast();
  const [phone, setPhone] = useState<TypedPhone>({ code: defaultCountryCode, number: '' });
  const { form, errors, setErrors, busy } = useForm<string>({
    read: () => {
      if (!phone.number.trim()) return { errors: { phone: 'Saisissez un numéro de téléphone.' } };
      const read = readPhone(phone.number, phone.code);
      return 'e164' in read ? { data: read.e164 } : { errors: { phone: read.problem } };
    },
    send: async (to) => {
      await call(sendTestSms, { body: { phone: to } });
      toast({ title: 'SMS d’essai en route', description: `Vers le ${formatPhone(to)}.` });
    },
    failure: { fallback: 'Le SMS d’essai n’a pas pu partir.' },
    after: () => refresh(readSms, listSmsDeliveries),
  });
  return (
    <Card className="flex flex-col gap-4">
      <div>
        <h2 className="font-bold text-lg">SMS d’essai</h2>
        <p className="text-soft">Envoyez-vous un message pour vérifier que les passerelles fonctionnent.</p>
      </div>
      <form {...form} className="flex flex-col gap-4">
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
        <Button type="submit" variant="outline" className="sm:self-end" busy={busy}>
          {busy ? 'Envoi...' : 'Envoyer un SMS d’essai'}
        </Button>
      </form>
    </Card>
  );
}

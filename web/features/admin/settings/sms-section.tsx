import { useState } from 'react';
import { defaultCountryCode, findCountry, formatPhone } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import { listSmsDeliveries, readSms, type SmsState, sendTestSms } from '#contract/sms.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint, useRefresh } from '#web/api/use-endpoint.ts';
import { ShareBar } from '#web/features/admin/shared/share-bar.tsx';
import type { TypedPhone } from '#web/forms/grouped-typing.ts';
import { PhoneField } from '#web/forms/phone-field.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { formatCount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { SectionCard } from './saved-section.tsx';
import { SmsDeliveries } from './sms-deliveries.tsx';
import { SmsGateways } from './sms-gateways.tsx';
import { SmsSettingsForm } from './sms-settings-form.tsx';

export function SmsSection() {
  const query = useEndpoint(readSms, {}, { pollEveryMs: pollEveryMs.adminSms });
  return (
    <QueryState query={query} loading="Chargement des SMS..." failure="Impossible de charger l'état des SMS.">
      {({ gateways, today, settings }) => (
        <div className="flex flex-col gap-4">
          <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
            <div className="flex flex-col gap-4">
              <SmsGateways gateways={gateways} />
              <SmsTest />
            </div>
            <div className="flex flex-col gap-4">
              <SmsDay today={today} />
              <SmsSettingsForm stored={settings} />
            </div>
          </div>
          <SmsDeliveries />
        </div>
      )}
    </QueryState>
  );
}

/** Today's counts, each as a share of its cap. */
function SmsDay({ today: { all, countries } }: { today: SmsState['today'] }) {
  return (
    <SectionCard title="Aujourd'hui" about="SMS partis depuis minuit (UTC), sur le plafond du jour.">
      <ul className="flex flex-col gap-3">
        <Count name="Tous les pays" main {...all} />
        {countries.map(({ countryCode, queued, cap }) => (
          <Count key={countryCode} name={countryName(countryCode)} queued={queued} cap={cap} />
        ))}
      </ul>
    </SectionCard>
  );
}

const countryName = (code: string) => `${findCountry(code)?.name ?? ''} (${code})`;

function Count({ name, queued, cap, main }: { name: string; queued: number; cap: number; main?: boolean }) {
  const share = cap > 0 ? Math.min(100, (100 * queued) / cap) : queued > 0 ? 100 : 0;
  const isFull = queued >= cap;
  const colour = isFull ? 'fill-brick' : share >= 50 ? 'fill-[#d98a1f]' : 'fill-leaf';
  return (
    <li className={main ? 'border-line border-b pb-3 font-semibold' : undefined}>
      <div className="flex flex-wrap justify-between gap-x-3">
        <span>{name}</span>
        <span className="ml-auto tabular-nums">
          {isFull && <span className="font-semibold text-brick">Plafond atteint · </span>}
          <span>{`${formatCount(queued)} sur ${formatCount(cap)}`}</span>
        </span>
      </div>
      <ShareBar thin share={share} className="mt-1" fill={colour} />
    </li>
  );
}

/** Sends a test message; the list below shows its delivery. */
function SmsTest() {
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
      toast({ title: "SMS d'essai en route", description: `Vers le ${formatPhone(to)}.` });
    },
    failure: { fallback: "Le SMS d'essai n'a pas pu partir." },
    after: () => refresh(readSms, listSmsDeliveries),
  });
  return (
    <SectionCard title="SMS d'essai" about="Envoyez-vous un message pour vérifier que les passerelles fonctionnent.">
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
          {busy ? 'Envoi...' : "Envoyer un SMS d'essai"}
        </Button>
      </form>
    </SectionCard>
  );
}

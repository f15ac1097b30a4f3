import { useState } from 'react';
import { defaultCountryCode, findCountry, formatPhone } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import {
  failuresOfBrokenGateway,
  readSms,
  type SmsGateway,
  type SmsSettings,
  type SmsState,
  saveSmsSettings,
  sendTestSms,
  smsCapAtMost,
  smsCapMessage,
} from '#contract/sms.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { CheckField } from '#web/features/admin/shared/fields.tsx';
import { Moment } from '#web/features/admin/shared/moment.tsx';
import { ShareBar } from '#web/features/admin/shared/share-bar.tsx';
import type { TypedPhone } from '#web/forms/grouped-typing.ts';
import { PhoneField } from '#web/forms/phone-field.tsx';
import type { Reading } from '#web/forms/read-form.ts';
import { useForm } from '#web/forms/use-form.ts';
import { formatCount } from '#web/text/formats.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { SavedSection, SectionCard } from './saved-section.tsx';

export function SmsSection() {
  const query = useEndpoint(readSms, {}, { pollEveryMs: pollEveryMs.adminSms });
  return (
    <QueryState query={query} loading="Chargement des SMS..." failure="Impossible de charger l'état des SMS.">
      {({ gateways, today, settings }) => (
        <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
          <div className="flex flex-col gap-4">
            <SmsDay today={today} />
            <SmsSettingsForm stored={settings} />
          </div>
          <div className="flex flex-col gap-4">
            <SmsGateways gateways={gateways} />
            <SmsTest />
          </div>
        </div>
      )}
    </QueryState>
  );
}

/** Today's counts, each as a share of its cap. */
function SmsDay({ today: { countries } }: { today: SmsState['today'] }) {
  return (
    <SectionCard title="Aujourd'hui" about="SMS partis depuis minuit (UTC) vers chaque pays, sur le plafond du jour.">
      <ul className="flex flex-col gap-3">
        {countries.map(({ countryCode, queued, cap }) => {
          const share = cap > 0 ? Math.min(100, (100 * queued) / cap) : queued > 0 ? 100 : 0;
          const isFull = queued >= cap;
          return (
            <ShareBar
              key={countryCode}
              name={`${findCountry(countryCode)?.name ?? ''} (${countryCode})`}
              value={
                <>
                  {isFull && <span className="text-brick">Plafond atteint · </span>}
                  <span className="font-normal">{`${formatCount(queued)} sur ${formatCount(cap)}`}</span>
                </>
              }
              share={share}
              fill={isFull ? 'fill-brick' : share >= 50 ? 'fill-[#d98a1f]' : 'fill-leaf'}
            />
          );
        })}
      </ul>
    </SectionCard>
  );
}

function SmsSettingsForm({ stored }: { stored: SmsSettings }) {
  return (
    <SavedSection
      title="Réglages"
      about="Au plafond d'un pays, plus aucun code n'y part jusqu'à minuit (UTC). Un quart en est gardé pour les décisions et les appareils connus."
      stored={stored}
      draftOf={({ perCountryAndDay, onDecision }) => ({ cap: String(perCountryAndDay), onDecision })}
      read={readSms}
      toSend={({ cap, onDecision }): Reading<Omit<SmsSettings, 'updatedAt'>> => {
        const perCountryAndDay = readCap(cap);
        return perCountryAndDay === undefined
          ? { errors: { cap: smsCapMessage } }
          : { data: { perCountryAndDay, onDecision } };
      }}
      write={saveSmsSettings}
      saved="Réglages enregistrés"
      failure={{ fallback: "Les réglages n'ont pas pu être enregistrés." }}
    >
      {({ text, check }) => (
        <>
          <Field label="SMS par jour et par pays" inputMode="numeric" {...text('cap')} />
          <CheckField
            label="Prévenir par SMS quand une demande est traitée"
            hint="Un SMS de plus par demande, compté dans le plafond&nbsp;; au plafond, il ne part pas."
            {...check('onDecision')}
          />
        </>
      )}
    </SavedSection>
  );
}

/**
 * Parses a typed cap, with or without spaces; `undefined` if invalid. The contract's schema would add its part of zod
 * to the first screen.
 */
function readCap(typed: string): number | undefined {
  const digits = typed.replace(/\s/g, '');
  return /^\d{1,7}$/.test(digits) && Number(digits) <= smsCapAtMost ? Number(digits) : undefined;
}

const gatewayNames: Record<string, string> = {
  console: 'Console du serveur',
  file: 'Fichier du serveur',
  http: 'Passerelle HTTP',
  orange: 'Orange',
};

/** The last success and the last error of each gateway. */
function SmsGateways({ gateways }: { gateways: readonly SmsGateway[] }) {
  return (
    <SectionCard
      title="Passerelles"
      about="Elles se choisissent dans les réglages du serveur, qui disent pour chaque pays dans quel ordre les essayer."
    >
      <ul className="flex flex-col gap-4">
        {gateways.map(({ name, dialCodes, lastSentAt, lastFailedAt, failure, failuresInARow: failures }) => (
          <li key={name} className="flex flex-col gap-1 border-line not-first:border-t not-first:pt-4">
            <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1">
              <h3 className="font-semibold">{gatewayNames[name] ?? name}</h3>
              {failures > 0 ? (
                <Badge tone={failures < failuresOfBrokenGateway ? 'amber' : 'red'}>
                  {failures === 1 ? '1 échec' : `${failures} échecs de suite`}
                </Badge>
              ) : (
                <Badge tone={lastSentAt ? 'green' : 'grey'}>{lastSentAt ? 'En service' : 'Pas utilisée'}</Badge>
              )}
            </div>
            <p className="text-soft text-small">
              {dialCodes.map((code) => findCountry(`+${code}`)?.name ?? `+${code}`).join(', ')}
            </p>
            {lastSentAt && (
              <p className="text-body">
                Dernier envoi le <Moment instant={lastSentAt} />
              </p>
            )}
            {lastFailedAt && (
              <p className={join('wrap-anywhere text-small', failures > 0 ? 'text-brick' : 'text-soft')}>
                Dernier échec le <Moment instant={lastFailedAt} />
                <span>{` : ${failure ?? 'sans raison connue'}`}</span>
              </p>
            )}
          </li>
        ))}
      </ul>
    </SectionCard>
  );
}

/** Sends a test message; its gateway shows the outcome. */
function SmsTest() {
  const call = useCall();
  const [phone, setPhone] = useState<TypedPhone>({ code: defaultCountryCode, number: '' });
  const { form, errors, busy } = useForm<string>({
    read: () => {
      if (!phone.number.trim()) return { errors: { phone: 'Saisissez un numéro de téléphone.' } };
      const read = readPhone(phone.number, phone.code);
      return 'e164' in read ? { data: read.e164 } : { errors: { phone: read.problem } };
    },
    send: async (to) => {
      await call(sendTestSms, { body: { phone: to } });
      return { title: "SMS d'essai en route", description: `Vers le ${formatPhone(to)}.` };
    },
    failure: { fallback: "Le SMS d'essai n'a pas pu partir." },
    reads: [readSms],
  });
  return (
    <SectionCard title="SMS d'essai" about="Envoyez-vous un message pour vérifier que les passerelles fonctionnent.">
      <form {...form} className="flex flex-col gap-4">
        <PhoneField label="Numéro de téléphone" name="phone" value={phone} onChange={setPhone} error={errors.phone} />
        <Button type="submit" variant="outline" className="sm:self-end" busy={busy}>
          {busy ? 'Envoi...' : "Envoyer un SMS d'essai"}
        </Button>
      </form>
    </SectionCard>
  );
}

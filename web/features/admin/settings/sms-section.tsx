import { readSms } from '#contract/sms.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { QueryState } from '#web/ui/query-state.tsx';
import { SmsDay } from './sms-day.tsx';
import { SmsDeliveries } from './sms-deliveries.tsx';
import { SmsGateways } from './sms-gateways.tsx';
import { SmsSettingsForm } from './sms-settings-form.tsx';
import { SmsTest } from './sms-test.tsx';

/** Deliveries, gateways, today's counts and caps of SMS. */
export function SmsSection() {
  const query = useEndpoint(readSms, {}, { pollEveryMs: pollEveryMs.adminSms });
  return (
    <QueryState query={query} loading="Chargement des SMS..." failure="Impossible de charger l’état des SMS.">
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

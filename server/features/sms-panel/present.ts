import { countries, maskPhone } from '#contract/phone.ts';
import type { SmsDelivery, SmsGateway, SmsSettings, SmsState } from '#contract/sms-panel.ts';
import { allMessages, type CapCount } from '#server/features/sms/cap-alarms.ts';
import type { DeliveryRow, GatewayRow, SettingsRow } from './store.ts';

export function presentDelivery(row: DeliveryRow): SmsDelivery {
  const { id, kind, provider, failure } = row;
  return {
    id,
    recipient: maskPhone(row.recipient),
    kind,
    state: row.status === 'sent' || row.delivery === 'delivered' ? (row.delivery ?? 'sent') : row.status,
    gateway: provider,
    failure,
    createdAt: row.createdAt.toISOString(),
    sentAt: row.sentAt?.toISOString() ?? null,
    deliveredAt: row.deliveredAt?.toISOString() ?? null,
  };
}

export function presentSms({
  gateways,
  counts,
  settings,
}: {
  gateways: readonly GatewayRow[];
  counts: readonly CapCount[];
  settings: SettingsRow;
}): SmsState {
  const queued = (dialCode: string) => counts.find((each) => each.dialCode === dialCode)?.queued ?? 0;
  return {
    gateways: gateways.map(presentGateway),
    today: {
      all: { queued: queued(allMessages), cap: settings.perDay },
      countries: countries.map(({ code }) => ({
        countryCode: code,
        queued: queued(code.slice(1)),
        cap: settings.perCountryAndDay,
      })),
    },
    settings: presentSettings(settings),
  };
}

export function presentSettings({ updatedAt, ...settings }: SettingsRow): SmsSettings {
  return { ...settings, updatedAt: updatedAt?.toISOString() ?? null };
}

function presentGateway({
  name,
  dialCodes,
  failure,
  failuresInARow,
  balance,
  balanceFailure,
  ...row
}: GatewayRow): SmsGateway {
  return {
    name,
    dialCodes: dialCodes.split(',').filter(Boolean),
    lastSentAt: row.lastSentAt?.toISOString() ?? null,
    lastFailedAt: row.lastFailedAt?.toISOString() ?? null,
    failure,
    failuresInARow,
    balance,
    balanceAt: row.balanceAt?.toISOString() ?? null,
    balanceFailure,
  };
}

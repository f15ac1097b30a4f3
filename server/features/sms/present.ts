import { countries, maskPhone } from '#contract/phone.ts';
import type { SmsDelivery, SmsGateway, SmsSettings, SmsState } from '#contract/sms.ts';
import { allMessages, type CapCount } from './caps.ts';
import type { GatewayRow, listDeliveries, SettingsRow } from './store.ts';

const isoOf = (at: Date | null) => at?.toISOString() ?? null;

export function presentDelivery(row: Awaited<ReturnType<typeof listDeliveries>>[number]): SmsDelivery {
  const { status, delivery } = row;
  return {
    ...row,
    recipient: maskPhone(row.recipient),
    state: status === 'sent' || delivery === 'delivered' ? (delivery ?? 'sent') : status,
    gateway: row.provider,
    createdAt: row.createdAt.toISOString(),
    sentAt: isoOf(row.sentAt),
    deliveredAt: isoOf(row.deliveredAt),
  };
}

export function presentSms(
  gateways: readonly GatewayRow[],
  counts: readonly CapCount[],
  settings: SettingsRow,
): SmsState {
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
  return { ...settings, updatedAt: isoOf(updatedAt) };
}

function presentGateway(row: GatewayRow): SmsGateway {
  return {
    ...row,
    dialCodes: row.dialCodes.split(',').filter(Boolean),
    lastSentAt: isoOf(row.lastSentAt),
    lastFailedAt: isoOf(row.lastFailedAt),
    balanceAt: isoOf(row.balanceAt),
  };
}

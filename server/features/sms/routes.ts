import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import { Failure } from '#contract/failure.ts';
import { countries, defaultCountryCode, maskPhone } from '#contract/phone.ts';
import { readPhone } from '#contract/read-phone.ts';
import * as endpoints from '#contract/sms.ts';
import { requireUnchanged } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import type { Limits } from '#server/http/rate-limits.ts';
import { route } from '#server/http/route.ts';
import { readCapUse } from './caps.ts';
import { smsLimits } from './limits.ts';
import {
  type GatewayRow,
  listGateways,
  lockSettings,
  queueSms,
  readSettings,
  type SettingsRow,
  writeSettings,
} from './store.ts';

interface SmsTools {
  db: Db;
  limits: Limits;
  limited: boolean;
}

/** Every character is of the GSM-7 alphabet. */
const testText = "Guichet : ceci est un message d'essai. Si vous le lisez, l'envoi de SMS fonctionne.";

export function smsRoutes(app: FastifyInstance, { db, limits, limited }: SmsTools): void {
  route(app, endpoints.readSms, async () => {
    const use = await readCapUse(db);
    return {
      gateways: (await listGateways(db)).map(presentGateway),
      today: {
        countries: countries.map(({ code }) => {
          const { queued = 0, cap = 0 } = use.get(code.slice(1)) ?? {};
          return { countryCode: code, queued, cap };
        }),
      },
      settings: presentSettings(await readSettings(db)),
    };
  });

  route(app, endpoints.saveSmsSettings, async ({ body: { expectedUpdatedAt, ...settings }, write }) => {
    const saved = await write(async (tx, note) => {
      const stored = await lockSettings(tx);
      const { updatedAt, ...before } = stored;
      if (isDeepStrictEqual(before, settings)) {
        note({ unchanged: true });
        return stored;
      }
      requireUnchanged(updatedAt, expectedUpdatedAt);
      const written = await writeSettings(tx, settings);
      note({ before });
      return written;
    });
    return presentSettings(saved);
  });

  // A test message is sent even beyond the day's cap.
  route(app, endpoints.sendTestSms, async ({ body, caller, write }) => {
    const phone = readPhone(body.phone, defaultCountryCode);
    if ('problem' in phone) throw new Failure('PHONE_INVALID', { message: phone.problem });
    await limits.consume('testSmsPerAdministrator', String(caller.userId));
    await write(async (tx, note) => {
      note({ details: { number: maskPhone(phone.e164) } });
      const lifetimeSeconds = smsLimits.testLifetimeSeconds;
      await queueSms(tx, { to: phone.e164, text: testText, kind: 'test', lifetimeSeconds }, { limited });
    });
    return { message: "SMS d'essai en route" };
  });
}

const isoOf = (at: Date | null) => at?.toISOString() ?? null;

const presentSettings = ({ updatedAt, ...settings }: SettingsRow) => ({ ...settings, updatedAt: isoOf(updatedAt) });

function presentGateway({ position: _, ...row }: GatewayRow) {
  return {
    ...row,
    dialCodes: row.dialCodes.split(',').filter(Boolean),
    lastSentAt: isoOf(row.lastSentAt),
    lastFailedAt: isoOf(row.lastFailedAt),
  };
}

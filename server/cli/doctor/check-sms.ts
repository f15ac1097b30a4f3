import { once } from 'node:events';
import net from 'node:net';
import type pg from 'pg';
import { countries } from '#contract/phone.ts';
import { openRoute } from '#server/features/sms/gateways/open-route.ts';
import { smsLimits } from '#server/process/sending-limits.ts';
import { gatewayPrefixes, planSms, problemOfSms } from '#server/process/sms-settings.ts';
import { answerMs, type Check, type Finding, type Patient, reasonOf } from './finding.ts';

/** Gateways that send nothing. */
const silent = ['console', 'file'];

/** The countries whose numbers get nothing, whatever the others do. */
function listSilentCountries(environment: Patient['environment']): string[] {
  const { byDialCode } = planSms(environment);
  const isSilent = (code: string) => (byDialCode.get(code) ?? []).every((name) => silent.includes(name));
  return countries.filter(({ code }) => isSilent(code.slice(1))).map(({ name }) => name);
}

/** The addresses of the gateways among the settings. */
const addressNames = Object.entries(gatewayPrefixes).map(([name, prefix]) => [name, `${prefix}_URL`] as const);

/** Whether a gateway can be reached, and accepts our keys where it can be asked without a message. */
async function lookAtGateway(environment: Patient['environment'], name: string, address: string): Promise<Finding[]> {
  const reached = await lookAtAddress(name, address);
  if (reached.mend || problemOfSms(environment)) return [reached];
  const tools = { file: '', receiptSecret: '', print() {} };
  const gateway = openRoute(environment, tools).gateways.find((each) => each.name === name);
  if (!gateway?.checkKeys) return [reached];
  const failed = await gateway.checkKeys();
  if (!failed) return [reached, { is: `La passerelle ${name} accepte ses clés.` }];
  const mend = 'Vérifiez ses clés, et que son compte est ouvert et payé.';
  return failed.kind === 'refused'
    ? [reached, { is: `La passerelle ${name} refuse ses clés (${failed.failure}).`, mend }]
    : [reached, { is: `La passerelle ${name} ne dit pas si elle accepte ses clés (${failed.failure}).`, mend }];
}

async function lookAtAddress(name: string, address: string): Promise<Finding> {
  const { hostname, port, protocol } = new URL(address);
  const socket = net.connect(Number(port || (protocol === 'https:' ? 443 : 80)), hostname.replace(/^\[|\]$/g, ''));
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(answerMs) });
    return { is: `La passerelle ${name} est joignable.` };
  } catch (error) {
    return {
      is: `La passerelle ${name} n'est pas joignable à ${hostname} (${reasonOf(error)}).`,
      mend: "Vérifiez l'adresse, le réseau de cette machine et son pare-feu, en sortie.",
    };
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

async function lookAtFailures(pool: pg.Pool): Promise<Finding[]> {
  const { rows } = await pool.query<{ name: string; failure: string | null }>(
    `select name, failure from sms_gateways where position is not null and failures_in_a_row >= $1 order by position`,
    [smsLimits.failuresBeforeAlarm],
  );
  return rows.map(({ name, failure }) => ({
    is: `Les derniers envois par ${name} ont tous échoué${failure ? ` : ${failure}` : ''}.`,
    mend: "Vérifiez ses clés, son crédit et le nom d'expéditeur ; envoyez un message d'essai depuis Paramètres.",
  }));
}

/** Balances that run out by the last reading, and balances that could not be read. */
async function lookAtBalances(pool: pg.Pool): Promise<Finding[]> {
  const { rows } = await pool.query<{ name: string; balance: number | null; failure: string | null }>(
    `select name, balance, balance_failure as failure from sms_gateways
     where position is not null and (balance < $1 or balance_failure is not null) order by position`,
    [smsLimits.lowBalance],
  );
  return rows.map(({ name, balance, failure }) =>
    failure === null
      ? {
          is: `Il reste ${balance} SMS payés chez ${name}.`,
          mend: "Achetez-en d'autres avant que les codes ne partent plus.",
        }
      : {
          is: `Le nombre de SMS payés qui restent chez ${name} n'est pas connu (${failure}).`,
          mend: 'Vérifiez-le sur le site de la passerelle.',
        },
  );
}

/** A cap of 0, which lets no code leave. */
async function lookAtCaps(pool: pg.Pool): Promise<Finding[]> {
  const { rows } = await pool.query('select from sms_settings where per_day = 0 or per_country_and_day = 0');
  return rows.map(() => ({
    is: 'Le plafond est de 0 SMS par jour : aucun code ne part.',
    mend: 'Relevez-le dans Paramètres, SMS.',
  }));
}

export const checkSms: Check = {
  title: 'SMS',
  async look(patient) {
    const { environment, pool } = patient;
    const caps = pool ? await lookAtCaps(pool) : [];
    const names = addressNames.filter(([name]) => new RegExp(`\\b${name}\\b`).test(environment.SMS_PROVIDER));
    const mend = 'Réglez une passerelle pour chaque pays : SMS_PROVIDER=orange,infobip, et leurs clés.';
    const isProduction = environment.NODE_ENV === 'production';
    if (names.length === 0) {
      const is = `Aucun SMS ne quitte cette machine (SMS_PROVIDER=${environment.SMS_PROVIDER}).`;
      const isMeant = !isProduction && silent.includes(environment.SMS_PROVIDER);
      return isMeant ? [{ is }, ...caps] : [{ is, mend }, ...caps];
    }
    const without = isProduction ? listSilentCountries(environment) : [];
    const unserved: Finding[] =
      without.length > 0 ? [{ is: `Aucun SMS ne part pour ${without.join(', ')}.`, mend }] : [];
    const reached = names.flatMap(([name, setting]) => {
      const address = environment[setting];
      return address === undefined ? [] : [lookAtGateway(environment, name, address)];
    });
    const known = pool ? [...(await lookAtFailures(pool)), ...(await lookAtBalances(pool))] : [];
    return [...unserved, ...(await Promise.all(reached)).flat(), ...known, ...caps];
  },
};

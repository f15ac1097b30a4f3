import { once } from 'node:events';
import net from 'node:net';
import type pg from 'pg';
import { countries } from '#contract/phone.ts';
import { smsLimits } from '#server/process/sending-limits.ts';
import { planSms } from '#server/process/sms-settings.ts';
import { answerMs, type Check, type Finding, type Patient, reasonOf } from './finding.ts';

/** Gateways that send nothing. */
const silent = ['console', 'file'];

/** The countries whose numbers get nothing, whatever the others do. */
function listSilentCountries(environment: Patient['environment']): string[] {
  const { byDialCode } = planSms(environment);
  const isSilent = (code: string) => (byDialCode.get(code) ?? []).every((name) => silent.includes(name));
  return countries.filter(({ code }) => isSilent(code.slice(1))).map(({ name }) => name);
}

/** Whether a gateway can be reached at its address. */
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
    'select name, failure from sms_gateways where failures_in_a_row >= $1 order by position',
    [smsLimits.failuresBeforeAlarm],
  );
  return rows.map(({ name, failure }) => ({
    is: `Les derniers envois par ${name} ont tous échoué${failure ? ` : ${failure}` : ''}.`,
    mend: "Vérifiez ses clés, son crédit et le nom d'expéditeur ; envoyez un message d'essai depuis Paramètres.",
  }));
}

/** A cap of 0, which lets no code leave. */
async function lookAtCap(pool: pg.Pool): Promise<Finding[]> {
  const { rows } = await pool.query('select from sms_settings where per_country_and_day = 0');
  return rows.map(() => ({
    is: 'Le plafond est de 0 SMS par jour : aucun code ne part.',
    mend: 'Relevez-le dans Paramètres, SMS.',
  }));
}

export const checkSms: Check = {
  title: 'SMS',
  async look({ environment, pool }) {
    const found = pool ? [...(await lookAtFailures(pool)), ...(await lookAtCap(pool))] : [];
    const mend = 'Réglez une passerelle pour chaque pays : SMS_PROVIDER=orange,http, et leurs clés.';
    const isProduction = environment.NODE_ENV === 'production';
    const addresses = { orange: environment.ORANGE_URL, http: environment.SMS_HTTP_URL };
    const { names } = planSms(environment);
    const reached = Object.entries(addresses).flatMap(([name, address]) =>
      names.some((each) => each === name) && address !== undefined ? [lookAtAddress(name, address)] : [],
    );
    if (reached.length === 0) {
      const is = `Aucun SMS ne quitte cette machine (SMS_PROVIDER=${environment.SMS_PROVIDER}).`;
      const isMeant = !isProduction && silent.includes(environment.SMS_PROVIDER);
      return [isMeant ? { is } : { is, mend }, ...found];
    }
    const without = isProduction ? listSilentCountries(environment) : [];
    const unserved = without.length > 0 ? [{ is: `Aucun SMS ne part pour ${without.join(', ')}.`, mend }] : [];
    return [...unserved, ...(await Promise.all(reached)), ...found];
  },
};

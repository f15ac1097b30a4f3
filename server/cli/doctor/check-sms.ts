import { once } from 'node:events';
import net from 'node:net';
import { countries } from '#contract/phone.ts';
import { doctorLimits } from '#server/process/doctor-limits.ts';
import { planSms } from '#server/process/sms-settings.ts';
import { type Check, type Finding, type Patient, reasonOf } from './finding.ts';

/** Gateways that send nothing. */
const silent = ['console', 'file'];

/** The countries whose numbers get nothing, whatever the others do. */
function listSilentCountries(environment: Patient['environment']): string[] {
  const { byDialCode } = planSms(environment);
  const isSilent = (code: string) => (byDialCode.get(code) ?? []).every((name) => silent.includes(name));
  return countries.filter(({ code }) => isSilent(code.slice(1))).map(({ name }) => name);
}

/** The addresses of the gateways among the settings. */
const addressNames = [
  ['orange', 'ORANGE_URL'],
  ['infobip', 'INFOBIP_URL'],
  ['twilio', 'TWILIO_URL'],
  ['http', 'SMS_HTTP_URL'],
] as const;

async function lookAtAddress(name: string, address: string): Promise<Finding> {
  const { hostname, port, protocol } = new URL(address);
  const socket = net.connect(Number(port || (protocol === 'https:' ? 443 : 80)), hostname.replace(/^\[|\]$/g, ''));
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(doctorLimits.answerMs) });
    return { is: `La passerelle ${name} est joignable.` };
  } catch (error) {
    return {
      is: `La passerelle ${name} n’est pas joignable à ${hostname} (${reasonOf(error)}).`,
      mend: 'Vérifiez l’adresse, le réseau de cette machine et son pare-feu, en sortie.',
    };
  } finally {
    socket.on('error', () => {}).destroy();
  }
}

async function lookAtFailures({ pool }: Patient): Promise<Finding[]> {
  if (!pool) return [];
  const { rows } = await pool.query<{ name: string; failure: string | null; balance: number | null }>(
    `select name, failure, balance from sms_gateways
     where position is not null and failures_in_a_row >= $1 order by position`,
    [doctorLimits.gatewayFailures],
  );
  return rows.map(({ name, failure }) => ({
    is: `Les derniers envois par ${name} ont tous échoué${failure ? ` : ${failure}` : ''}.`,
    mend: 'Vérifiez ses clés, son crédit et le nom d’expéditeur ; envoyez un message d’essai depuis Paramètres.',
  }));
}

export const checkSms: Check = {
  title: 'SMS',
  async look(patient) {
    const { environment } = patient;
    const names = addressNames.filter(([name]) => new RegExp(`\\b${name}\\b`).test(environment.SMS_PROVIDER));
    const mend = 'Réglez une passerelle pour chaque pays : SMS_PROVIDER=orange,infobip, et leurs clés.';
    const isProduction = environment.NODE_ENV === 'production';
    if (names.length === 0) {
      const is = `Aucun SMS ne quitte cette machine (SMS_PROVIDER=${environment.SMS_PROVIDER}).`;
      const isMeant = !isProduction && silent.includes(environment.SMS_PROVIDER);
      return isMeant ? [{ is }] : [{ is, mend }];
    }
    const without = isProduction ? listSilentCountries(environment) : [];
    const unserved: Finding[] =
      without.length > 0 ? [{ is: `Aucun SMS ne part pour ${without.join(', ')}.`, mend }] : [];
    const reached = names.flatMap(([name, setting]) => {
      const address = environment[setting];
      return address === undefined ? [] : [lookAtAddress(name, address)];
    });
    return [...unserved, ...(await Promise.all(reached)), ...(await lookAtFailures(patient))];
  },
};

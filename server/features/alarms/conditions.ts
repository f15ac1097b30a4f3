import { countries } from '#contract/phone.ts';
import type { Db } from '#server/database/connect.ts';
import { dialCodeLimits } from '#server/process/limits.ts';
import { paymentFeedLimits } from '#server/process/payment-limits.ts';
import { secondCodeLimits, sendingCaps } from '#server/process/sending-limits.ts';
import { watchLimits } from '#server/process/watch-limits.ts';
import { type Alarm, clearAlarm, raiseAlarm } from './store.ts';

export type Level = Alarm['level'];

interface Condition<Facts> {
  /** How bad the facts are; undefined where nothing is wrong. */
  level(facts: Facts): Level | undefined;
  /** In French: what is wrong, and what to do. */
  sentence(facts: Facts): string;
}
const condition = <Facts>(each: Condition<Facts>) => each;

export interface DiskFacts {
  /** Bytes. */
  free: number;
  /** Bytes. */
  total: number;
  folder: string;
  host: string;
  /** The level of its alarm that is up; it stays until there is some room above the bound that raised it. */
  before?: Level | undefined;
}

const disk = condition<DiskFacts>({
  level({ free, total, before }) {
    const { critical, warning, above } = watchLimits.disk;
    const isBelow = ({ share, bytes }: typeof critical | typeof warning, wasBelow: boolean) => {
      const room = wasBelow ? free / above : free;
      return room < share * total || room < bytes;
    };
    if (isBelow(critical, before === 'critical')) return 'critical';
    return isBelow(warning, before !== undefined) ? 'warning' : undefined;
  },
  sentence({ free, total, folder, host }) {
    const share = Math.floor((100 * free) / total);
    return `Il reste ${share} % d'espace (${bytesInFrench(free)}) sur le disque de ${folder}, machine ${host} : faites de la place.`;
  },
});

/** Every condition that raises an alarm, by the first part of its alarm's key; the second part is the subject, if there are several. */
export const conditions = {
  /** Of a machine. */
  disk,
  /** Of a machine. */
  'disk-backup': disk,
  /** Of a machine. `apartMs` is between its clock and the database's. */
  clock: condition<{ apartMs: number; host: string }>({
    level: ({ apartMs }) => (Math.abs(apartMs) > watchLimits.clockSeconds * 1_000 ? 'warning' : undefined),
    sentence: ({ host }) =>
      `L'horloge de la machine ${host} et celle de la base de données diffèrent de plus de ${watchLimits.clockSeconds} secondes : mettez-les à l'heure (NTP).`,
  }),
  queue: condition<{ isStuck: boolean }>({
    level: ({ isStuck }) => (isStuck ? 'critical' : undefined),
    sentence: () =>
      "Des SMS attendent depuis plus d'une minute et ne partent plus. Redémarrez Guichet, et voyez le journal.",
  }),
  certificate: condition<{ end: Date; now: Date; host: string }>({
    level({ end, now }) {
      const daysLeft = (end.getTime() - now.getTime()) / 86_400_000;
      if (daysLeft < watchLimits.certificateDays.critical) return 'critical';
      return daysLeft < watchLimits.certificateDays.warning ? 'warning' : undefined;
    },
    sentence: ({ end, now, host }) =>
      end < now
        ? `Le certificat de ${host} a expiré le ${dayInFrench(end)} : les navigateurs refusent le site. Renouvelez-le.`
        : `Le certificat de ${host} expire le ${dayInFrench(end)} : renouvelez-le.`,
  }),
  'backup-old': condition<{ ageSeconds: number }>({
    level: ({ ageSeconds }) => (ageSeconds > watchLimits.backupSeconds ? 'critical' : undefined),
    sentence: () =>
      `Aucune sauvegarde n'a réussi depuis plus de ${watchLimits.backupSeconds / 3_600} heures\u00a0: vérifiez BACKUP_DIR et le journal.`,
  }),
  /** The scheduled backup, whose failure is a French sentence. */
  backup: condition<{ failure: string }>({ level: () => 'critical', sentence: ({ failure }) => failure }),
  /** Of a gateway. `alone` names the countries that no other working gateway serves. */
  gateway: condition<{ name: string; failure: string | null; alone: readonly string[] }>({
    level: ({ alone }) => (alone.length > 0 ? 'critical' : 'warning'),
    sentence({ name, failure, alone }) {
      const effect =
        alone.length > 0
          ? `Aucun SMS ne part plus vers : ${alone.join(', ')}.`
          : 'Les messages passent par les autres passerelles.';
      return `La passerelle SMS ${name} échoue (${failure ?? 'sans raison connue'}). ${effect} Vérifiez son compte, son crédit et ses réglages.`;
    },
  }),
  /** Of a dial code such as '226'. `isClosed` tells that what is left is kept for decisions and known browsers. */
  'sms-cap': condition<{ dialCode: string; queued: number; cap: number; isClosed: boolean }>({
    level({ isClosed, ...use }) {
      if (use.cap === 0) return undefined;
      return isClosed ? 'critical' : reachedPercent(use) > 0 ? 'warning' : undefined;
    },
    sentence({ dialCode, queued, cap, isClosed }) {
      const country = towards(dialCode);
      const state = `${queued} des ${cap} SMS permis par jour${country} sont déjà partis`;
      const effect =
        queued >= cap
          ? ' : plus aucun code ne part avant minuit UTC.'
          : isClosed
            ? " : le reste est gardé pour les décisions et les appareils connus, jusqu'à minuit UTC."
            : '.';
      return `${state}${effect} Si ce trafic est normal, relevez le plafond dans Paramètres, SMS.`;
    },
  }),
  /** Of a payment type's template or a service: `name` says which. */
  'dial-code': condition<{ name: string; people: number }>({
    level: ({ people }) => (people >= dialCodeLimits.peopleBeforeAlarm ? 'warning' : undefined),
    sentence: ({ name, people }) =>
      `${people} personnes disent en un jour que le code à composer ne marche pas (${name}). Essayez-le, puis marquez-le vérifié ou en panne ` +
      'dans Paiements, ou corrigez-le dans Services.',
  }),
  /** Of a payment account. */
  'payment-silence': condition<{ label: string; silentHours: number }>({
    level: ({ silentHours }) => (silentHours > 0 ? 'warning' : undefined),
    sentence: ({ label }) =>
      `Le téléphone relié au compte « ${label} » n'envoie plus de SMS de paiement, contre son habitude. Vérifiez qu'il est allumé et qu'il a du réseau.`,
  }),
  /** Of a payment account. */
  'payment-unread': condition<{ label: string; messages: number; unread: number }>({
    level: ({ messages, unread }) =>
      messages >= paymentFeedLimits.shareMessages && unread > messages * paymentFeedLimits.unreadShare
        ? 'warning'
        : undefined,
    sentence: ({ label }) =>
      `Plus d'un message sur dix du compte « ${label} » n'est pas compris : l'opérateur a peut-être changé ses SMS. Voyez Paiements, Messages non lus.`,
  }),
  /** Of a payment account. */
  'payment-balance': condition<{ label: string; unchained: number }>({
    level: ({ unchained }) => (unchained > 0 ? 'warning' : undefined),
    sentence: ({ label }) =>
      `Le solde d'un SMS du compte « ${label} » ne découle pas du précédent : un message s'est perdu, ou quelqu'un en imite. Comparez avec le compte.`,
  }),
  /** Of a payment account. */
  'payment-reversal': condition<{ label: string; lines: number; unnamed: number }>({
    level: ({ lines, unnamed }) => (lines + unnamed > 0 ? 'critical' : undefined),
    sentence: ({ label, lines, unnamed }) =>
      lines > 0 || unnamed === 0
        ? `${lines === 1 ? 'Un paiement' : `${lines} paiements`} du compte « ${label} » ${lines === 1 ? 'a été repris' : 'ont été repris'} par l'opérateur après l'approbation de la demande. Voyez Paiements, Encaissements.`
        : `L'opérateur a repris de l'argent du compte « ${label} » sans dire de quel paiement, d'un montant qui a payé une demande. Voyez les reprises dans Paiements, Encaissements : retirez ce paiement de son ticket, ou ignorez la reprise.`,
  }),
  /** Of a purpose. */
  'second-codes': condition<{ purpose: 'signup' | 'reset' }>({
    level: () => 'warning',
    sentence: ({ purpose }) =>
      `${secondCodeLimits.ofAll} codes ${purpose === 'signup' ? "d'inscription" : 'de réinitialisation'} faux ou plus en un jour, que personne n'a corrigés : quelqu'un essaie peut-être ` +
      "d'en deviner. Tant que cela dure, un code juste ne suffit plus : un second est envoyé au même numéro.",
  }),
};

export type ConditionName = keyof typeof conditions;
type FactsOf<Name extends ConditionName> = Parameters<(typeof conditions)[Name]['level']>[0];

/** The key of a condition's alarm. */
export const alarmKey = (name: ConditionName, subject?: string): string =>
  subject === undefined ? name : `${name}:${subject}`;

/** Raises, renews or clears the alarm of a condition by its facts; without facts it is cleared. */
export async function updateAlarm<Name extends ConditionName>(
  db: Db,
  name: Name,
  facts: FactsOf<Name> | undefined,
  subject?: string,
): Promise<void> {
  const key = alarmKey(name, subject);
  const { level: levelOf, sentence } = conditions[name] as Condition<FactsOf<Name>>;
  const level = facts && levelOf(facts);
  if (level) await raiseAlarm(db, { key, level, message: sentence(facts as FactsOf<Name>) });
  else await clearAlarm(db, key);
}

const percents = [...sendingCaps.warnedAtPercent, 100];

/** The highest percentage of a cap that is reached and raises an alarm; 0 if none is, as of a cap of 0, which sends nothing. */
export function reachedPercent({ queued, cap }: { queued: number; cap: number }): number {
  return percents.findLast((percent) => cap > 0 && queued * 100 >= cap * percent) ?? 0;
}

const countryOf = (dialCode: string | undefined) => countries.find(({ code }) => code === `+${dialCode}`);

function towards(dialCode: string | undefined): string {
  const country = countryOf(dialCode);
  return country ? ` vers ${country.code} (${country.name})` : '';
}

/** 31/12/2026. */
export const dayInFrench = (at: Date): string => at.toISOString().slice(0, 10).split('-').reverse().join('/');

/** Rounded down to what matters: a sentence that changes every minute would be notified every minute. */
function bytesInFrench(bytes: number): string {
  if (bytes < 1e9) return `${Math.floor(bytes / 1e8) * 100} Mo`;
  return `${String(Math.floor(bytes / 1e8) / 10).replace('.', ',')} Go`;
}

import { statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { isSafeToDial } from '#contract/dial-code.ts';
import { isPriceUnreadable } from '#contract/money.ts';
import { countries } from '#contract/phone.ts';
import { assertDurable, type Db } from '#server/database/connect.ts';
import { rows, sql } from '#server/database/rows.ts';
import { dialCodeLimits } from '#server/features/payment-types/limits.ts';
import {
  listAccounts,
  refusedAccounts,
  reversedAccounts,
  silentAccounts,
  unchainedAccounts,
  unreadAccounts,
} from '#server/features/payments/intake/feed-alarms.ts';
import { pushJob } from '#server/features/push/store.ts';
import { readCapUse } from '#server/features/sms/caps.ts';
import { sendingCaps, smsLimits } from '#server/features/sms/limits.ts';
import { smsJob } from '#server/features/sms/store.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import type { Environment } from '#server/process/environment.ts';
import { planSms } from '#server/process/sms-settings.ts';
import { alarmLimits } from './limits.ts';
import type { alarms } from './tables.ts';
import { listUnpaidCodes } from './unpaid-codes.ts';

/** What the conditions check. */
export interface Watched {
  db: Db;
  pool: pg.Pool;
  /** Folders whose disks need free space. */
  folders: readonly string[];
  /** Whether daily backups are on. */
  backsUp: boolean;
  /** Countries to which the settings send no SMS. */
  withoutSms: readonly string[];
  /** Bytes of a folder's disk; undefined if it is missing or does not answer. */
  readRoom(folder: string): Promise<{ free: number; total: number } | undefined>;
}

export interface Condition {
  key: string;
  level: (typeof alarms.$inferSelect)['level'];
  title: string;
  /** What is wrong, in French sentences; undefined if nothing is. */
  check(watched: Watched): Promise<string | undefined>;
  /** What to do, in French. */
  advice: string;
}

/** What to watch, by the settings and a data folder. Only in production must SMS be real. */
export function watchedBy(
  environment: Pick<Environment, 'BACKUP_DIR' | 'NODE_ENV'> & Parameters<typeof planSms>[0],
  home: string | undefined,
): Omit<Watched, 'db' | 'pool'> {
  const { BACKUP_DIR: backups, NODE_ENV } = environment;
  const { byDialCode } = planSms(environment);
  const isUnserved = ({ code }: { code: string }) =>
    (byDialCode.get(code.slice(1)) ?? []).every((name) => name === 'console' || name === 'file');
  return {
    folders: [...new Set([home, backups])].filter((folder) => folder !== undefined),
    backsUp: backups !== undefined,
    readRoom: openDiskReader(),
    withoutSms: NODE_ENV === 'production' ? countries.filter(isUnserved).map(({ name }) => name) : [],
  };
}

/** Every alarm. Add one only if an operator of one server must act on it. */
export const conditions: readonly Condition[] = [
  {
    key: 'database',
    level: 'critical',
    title: 'Base de données',
    async check({ pool }) {
      return assertDurable(pool).then(
        () => undefined,
        (error: Error) =>
          error instanceof CannotStart ? error.message : `La base de données ne répond pas (${error.message}).`,
      );
    },
    advice: 'Démarrez PostgreSQL, ou corrigez DATABASE_URL ou ses réglages.',
  },
  {
    key: 'jobs',
    level: 'critical',
    title: "File d'attente",
    async check({ db }) {
      const late = sql`now() - make_interval(secs => ${alarmLimits.stuckSeconds})`;
      // During a burst some job was always taken recently, so a long queue alone is not stuck.
      const [stuck] = await rows<{ id: string }>(
        db,
        sql`select id::text from graphile_worker.jobs where task_identifier in (${smsJob.name}, ${pushJob.name})
              and locked_at is null and attempts < max_attempts and run_at < ${late}
              and not exists (select from graphile_worker.jobs where locked_at > ${late}) limit 1`,
      );
      return stuck && 'Des SMS ou des notifications attendent depuis plus de deux minutes et ne partent plus.';
    },
    advice: 'Redémarrez Guichet, et voyez le journal.',
  },
  {
    key: 'disk',
    level: 'critical',
    title: 'Disque',
    async check({ folders, readRoom }) {
      const { share, bytes } = alarmLimits.disk;
      const full = await Promise.all(
        folders.map(async (folder) => {
          const room = await readRoom(folder);
          if (!room || (room.free >= share * room.total && room.free >= bytes)) return [];
          const percent = Math.floor((100 * room.free) / room.total);
          return [
            `Il reste ${percent} % (${(Math.floor(room.free / 1e8) / 10).toLocaleString('fr')} Go) sur le disque de ${folder}.`,
          ];
        }),
      );
      return joined(full.flat());
    },
    advice: "Faites de la place : d'anciennes sauvegardes, les journaux ; ou prenez un disque plus grand.",
  },
  {
    key: 'backup',
    level: 'critical',
    title: 'Sauvegardes',
    async check({ db, backsUp }) {
      if (!backsUp) return undefined;
      // Before the first backup the time counts from the creation of the database.
      const [last] = await rows<{ failure: string | null; isOld: boolean | null }>(
        db,
        sql`select (select failure from backups where finished_at is not null order by started_at desc, id desc limit 1) as failure,
              coalesce((select max(finished_at) from backups where failure is null), (select min(created_at) from users))
                < now() - make_interval(hours => ${alarmLimits.backupHours}) as "isOld"`,
      );
      if (last?.failure) return `La dernière sauvegarde a échoué : ${sentence(last.failure)}`;
      return last?.isOld ? `Aucune sauvegarde n'a réussi depuis plus de ${alarmLimits.backupHours} heures.` : undefined;
    },
    advice: 'Sur le serveur, vérifiez le dossier des sauvegardes et le journal, puis faites-en une.',
  },
  {
    key: 'sms-gateway',
    level: 'critical',
    title: 'SMS',
    async check({ db, withoutSms }) {
      const failing = await rows<{ name: string; failure: string | null }>(
        db,
        sql`select name, failure from sms_gateways
            where failures_in_a_row >= ${smsLimits.failuresBeforeAlarm} order by position`,
      );
      return joined([
        ...(withoutSms.length > 0 ? [`Aucun SMS ne part pour ${withoutSms.join(', ')}.`] : []),
        ...failing.map(({ name, failure }) => `La passerelle ${name} échoue (${failure ?? 'sans raison connue'}).`),
      ]);
    },
    advice:
      "Vérifiez le compte, le crédit et les clés de la passerelle dans les réglages du serveur ; envoyez un message d'essai.",
  },
  {
    key: 'sms-cap',
    level: 'warning',
    title: 'Plafond de SMS',
    async check({ db }) {
      const near = [...(await readCapUse(db))].filter(
        ([, { queued, cap }]) => queued * 100 >= cap * sendingCaps.warnedAtPercent,
      );
      return joined(
        near.map(([dialCode, { queued, cap }]) => {
          const country = countries.find(({ code }) => code === `+${dialCode}`);
          return `${queued} SMS sur ${cap} permis aujourd'hui${country ? ` vers ${country.name}` : ''} sont déjà partis.`;
        }),
      );
    },
    advice:
      'Si ce trafic est normal, relevez le plafond dans Paramètres, SMS ; autrement plus rien ne part avant minuit UTC.',
  },
  {
    key: 'dial-code',
    level: 'warning',
    title: 'Codes signalés',
    async check({ db }) {
      const { peopleBeforeAlarm, reportSeconds } = dialCodeLimits;
      const reported = await rows<{ name: string }>(
        db,
        sql`select p.name || ', ' || d.country as name from dial_templates d join payment_types p on p.id = d.payment_type_id
              where d.state = 'reported'
            union all select min(s.name) from code_reports r join tickets t on t.id = r.ticket_id join services s on s.id = r.service_id
              where r.created_at > now() - make_interval(secs => ${reportSeconds})
              group by s.id having count(distinct t.user_id) >= ${peopleBeforeAlarm}`,
      );
      return about(reported, (names) => `Plusieurs personnes disent que le code à composer ne marche pas : ${names}.`);
    },
    advice: 'Essayez-le, puis marquez-le vérifié ou en panne dans Paiements, ou corrigez-le dans Services.',
  },
  {
    key: 'merchant',
    level: 'warning',
    title: 'Numéro marchand',
    async check({ db }) {
      const { wallets, services } = await listUnpaidCodes(db);
      const number = wallets.flatMap((wallet) => wallet.countries).length;
      const codes = number === 1 ? '1 code ne paie personne' : `${number} codes ne paient personne`;
      return joined([
        about(
          wallets.map((wallet) => ({ name: `${wallet.name} (${wallet.countries.join(', ')})` })),
          (names) => `Sans numéro marchand, ${codes} : ${names}.`,
        ),
        about(services, (names) => `Le numéro marchand de l'exemple est écrit dans le code de ${names}.`),
      ]);
    },
    advice: "Donnez vos numéros dans Paiements, Comptes ; dans le code d'un service, écrivez {marchand}.",
  },
  {
    key: 'catalogue',
    level: 'warning',
    title: 'Codes et prix',
    async check({ db }) {
      const codes = await rows<{ name: string; code: string | null; price: string | null }>(
        db,
        sql`select name, phone_number as code, price from services
            union all select p.name, d.template, null from dial_templates d join payment_types p on p.id = d.payment_type_id`,
      );
      // Stored codes or prices that today's rules refuse; nobody can order by them.
      const unusable = codes.filter(({ code, price }) => (code && !isSafeToDial(code)) || isPriceUnreadable(price));
      return about(unusable, (names) => `Un code ne peut pas être composé, ou un prix ne peut pas être lu : ${names}.`);
    },
    advice: 'Corrigez-les dans Services et Paiements : rien ne se commande tant que cela dure.',
  },
  {
    key: 'payment-feed',
    level: 'warning',
    title: 'SMS de paiement',
    async check({ db }) {
      return joined([
        about(
          await listAccounts(db, silentAccounts),
          (names) => `Le téléphone ou le service de ${names} se tait depuis un jour.`,
        ),
        about(
          await listAccounts(db, refusedAccounts),
          (names) => `Des messages de ${names} sont refusés : Paiements, Comptes dit pourquoi.`,
        ),
        about(
          await listAccounts(db, unreadAccounts),
          (names) => `Plus d'un message sur dix de ${names} n'est pas compris.`,
        ),
      ]);
    },
    advice:
      "Vérifiez que le téléphone est allumé et a du réseau ; l'opérateur a peut-être changé ses SMS : voyez Paiements, Messages non lus.",
  },
  {
    key: 'payment-balance',
    level: 'warning',
    title: 'Soldes',
    async check({ db }) {
      const unchained = await listAccounts(db, unchainedAccounts);
      return about(unchained, (names) => `Le solde d'un SMS de ${names} ne découle pas du précédent.`);
    },
    advice:
      "Un message s'est perdu, ou quelqu'un en imite : comparez avec le compte, puis approuvez ou ignorez ce paiement, ou importez un relevé. D'ici là, aucun SMS du compte n'est coché d'avance.",
  },
  {
    key: 'payment-reversal',
    level: 'critical',
    title: 'Paiements repris',
    async check({ db }) {
      const reversed = await listAccounts(db, reversedAccounts);
      return about(
        reversed,
        (names) => `L'opérateur a repris de l'argent de ${names} après l'approbation d'une demande.`,
      );
    },
    advice: 'Voyez Paiements, Encaissements : retirez ce paiement de son ticket, ou ignorez la reprise.',
  },
];

const sentence = (words: string) => (/[.!?]$/.test(words) ? words : `${words}.`);
const joined = (sentences: readonly (string | undefined)[]) => sentences.filter(Boolean).join(' ') || undefined;

/** A sentence about the first five rows, if there are any. */
function about(rows: readonly { name: string }[], say: (names: string) => string): string | undefined {
  if (rows.length === 0) return undefined;
  const names = rows.slice(0, 5).map(({ name }) => `« ${name} »`);
  const more = rows.length - names.length;
  return say(names.join(', ') + (more > 0 ? `, et ${more} autre${more > 1 ? 's' : ''}` : ''));
}

/** Reads disks, one call per disk at a time: a call to a silent disk blocks one of the threads that read files. */
function openDiskReader(): Watched['readRoom'] {
  const asked = new Set<string>();
  return async (folder) => {
    if (asked.has(folder)) return undefined;
    asked.add(folder);
    const answer = statfs(folder)
      .then(({ bavail, blocks, bsize }) => ({ free: bavail * bsize, total: blocks * bsize }))
      .catch(() => undefined)
      .finally(() => asked.delete(folder));
    return Promise.race([answer, pause(alarmLimits.diskMs, undefined, { ref: false })]);
  };
}

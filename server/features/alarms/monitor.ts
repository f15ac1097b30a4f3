import { createHmac } from 'node:crypto';
import { type Condition, conditions, type Watched } from './conditions.ts';
import { alarmLimits } from './limits.ts';
import { type Alarm, forgetOver, recordAlarm, tellNext } from './store.ts';

export interface Webhook {
  url: string;
  /** Signs each call, if set. */
  secret?: string | undefined;
}

export interface MonitorTools {
  watched: Watched;
  webhook?: Webhook | undefined;
  publicUrl?: string | undefined;
  log: { warn(details: object, message: string): void };
}

type News = Pick<Alarm, 'key' | 'level' | 'message' | 'createdAt'>;

type Tell = (news: News, state: 'raised' | 'ended') => Promise<void>;

const databaseAway = (createdAt: Date): News => ({
  key: 'database',
  level: 'critical',
  message: 'La base de données ne répond pas : Guichet répond 503.',
  createdAt,
});

export type AlarmMonitor = ReturnType<typeof openAlarmMonitor>;

/**
 * Checks the conditions, and calls the webhook once when one begins and once when it has ended. It runs outside of the job queue, which
 * may itself be stuck. A lost database is remembered in memory and reported by each process.
 */
export function openAlarmMonitor({ watched, webhook, publicUrl, log }: MonitorTools) {
  let reported = '';
  const tell: Tell = async ({ key, level, message, createdAt }, state) => {
    if (webhook)
      await callWebhook(webhook, { key, level, message, since: createdAt.toISOString(), state, url: publicUrl });
  };
  const isDatabaseThere = watchDatabase(watched, tell, log);

  const look = async () => {
    const { db } = watched;
    if (!(await isDatabaseThere())) return;
    for (const condition of conditions) {
      const message = await check(condition);
      if (message) await recordAlarm(db, { ...condition, message: `${message} ${condition.advice}` });
    }
    await forgetOver(db, webhook !== undefined);
    // Without a webhook alarms stay unreported, for one that is set later.
    if (webhook) await tellAll(db, tell);
  };
  const check = async (condition: Condition) => {
    try {
      return await condition.check(watched);
    } catch (error) {
      log.warn({ err: error, alarm: condition.key }, 'a condition could not be checked');
      return undefined;
    }
  };

  let looking: Promise<void> | undefined;
  /** Checks now, or joins a running check; never rejects. */
  const lookOnce = (): Promise<void> => {
    looking ??= look()
      .then(
        () => {
          reported = '';
        },
        (error: unknown) => {
          // Logged once per fault, not at every check.
          if (String(error) !== reported) log.warn({ err: error }, 'the alarms are not up to date');
          reported = String(error);
        },
      )
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    look: lookOnce,
    /** Checks now and every 30 s. */
    start(): void {
      timer = setInterval(lookOnce, alarmLimits.lookMs);
      void lookOnce();
    },
    async stop(): Promise<void> {
      clearInterval(timer);
      await looking;
    },
  };
}

/** Returns a check whether the database answers, which tells of its absence and of its return. */
function watchDatabase(watched: Pick<Watched, 'db'>, tell: Tell, log: MonitorTools['log']): () => Promise<boolean> {
  let looksWithout = 0;
  let awaySince: Date | undefined;
  return async () => {
    try {
      await watched.db.execute('select 1');
    } catch (error) {
      looksWithout += 1;
      if (looksWithout === 1) log.warn({ err: error }, 'the database does not answer the alarms');
      // Reported at the second check: a restart is over by then.
      if (looksWithout < 2 || awaySince) return false;
      const since = new Date();
      await tell(databaseAway(since), 'raised');
      awaySince = since;
      return false;
    }
    looksWithout = 0;
    if (awaySince) await tell(databaseAway(awaySince), 'ended');
    awaySince = undefined;
    return true;
  };
}

/** Tells the recorded alarms that were not told yet, each by itself; throws the first failure at the end. */
async function tellAll(db: Watched['db'], tell: Tell): Promise<void> {
  const failures: unknown[] = [];
  for (const state of ['raised', 'ended'] as const) {
    const told = (alarm: Alarm) =>
      tell(alarm, state).then(
        () => true,
        (error: unknown) => {
          failures.push(error);
          return false;
        },
      );
    for (let after: string | undefined = ''; after !== undefined; ) after = await tellNext(db, { state, after }, told);
  }
  if (failures.length > 0) throw failures[0];
}

/**
 * Posts an alarm's change as JSON, signed by the HMAC of its body in X-Guichet-Signature. Throws unless the answer is 2xx within 5 s. The
 * error names no address, since that may hold a key.
 */
async function callWebhook({ url, secret }: Webhook, news: object): Promise<void> {
  const body = JSON.stringify({ ...news, sentAt: new Date().toISOString() });
  const answer = await fetch(url, {
    method: 'POST',
    redirect: 'manual',
    signal: AbortSignal.timeout(alarmLimits.webhookMs),
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Guichet',
      ...(secret && { 'x-guichet-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
    },
    body,
  });
  await answer.body?.cancel();
  if (!answer.ok) throw new Error(`the webhook for alarms answered ${answer.status}`);
}

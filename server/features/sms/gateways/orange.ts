import * as z from 'zod';
import { smsLimits } from '#server/features/sms/limits.ts';
import type { NotSent, SmsGateway, SmsOutcome } from '#server/features/sms/sms-route.ts';
import { orangeSenders } from '#server/process/sms-settings.ts';
import { type Answer, exchange, failureByStatus, inBrackets } from './http-exchange.ts';

export interface OrangeSettings {
  /** Such as https://api.orange.com. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** A sender name that Orange has approved, shown instead of the number; 11 characters at most. */
  senderName: string | undefined;
  exchangeMs?: number;
}

/** Orange documents `expires_in` as a text. */
const tokenAnswer = z.object({
  access_token: z.string().regex(/^[\x21-\x7e]+$/),
  expires_in: z.coerce.number().positive().catch(smsLimits.tokenSeconds),
});
const sendAnswer = z.object({ outboundSMSMessageRequest: z.object({ resourceURL: z.string() }) });
const exception = z.object({ messageId: z.string() });
const errorAnswer = z.union([
  z
    .object({
      requestError: z.object({ serviceException: exception.optional(), policyException: exception.optional() }),
    })
    .transform(({ requestError: told }) => (told.serviceException ?? told.policyException)?.messageId),
  z.object({ code: z.union([z.number(), z.string()]) }).transform(({ code }) => String(code)),
]);
/** OneAPI's code for a message without a valid address. */
const unknownNumber = 'SVC0004';

/** Orange's SMS API 2.0: Burkina Faso, Côte d'Ivoire, Mali and Senegal. The token is kept, and renewed when Orange refuses it. */
export function orangeGateway(settings: OrangeSettings): SmsGateway {
  const { url, senderName, exchangeMs = smsLimits.exchangeMs } = settings;
  const tokens = keepToken(settings);

  async function post(path: string, body: object, signal: AbortSignal, mayRenew = true): Promise<Answer | NotSent> {
    const token = await tokens.ask(signal);
    if (typeof token !== 'string') return token;
    const headers = {
      authorization: `Bearer ${token}`,
      accept: 'application/json',
      'content-type': 'application/json',
    };
    const answer = await exchange({ url: url + path, method: 'POST', headers, body: JSON.stringify(body) }, signal);
    if (answer.kind !== 'answered' || answer.status !== 401 || !mayRenew) return answer;
    tokens.forget(token);
    return post(path, body, signal, false);
  }

  return {
    name: 'orange',
    async send({ to, text }) {
      const sender = orangeSenders[to.slice(1, 4)];
      if (sender === undefined) return { kind: 'refused', failure: 'pays non desservi', about: 'number' };
      const path = `/smsmessaging/v1/outbound/${encodeURIComponent(`tel:+${sender}`)}/requests`;
      const body = {
        outboundSMSMessageRequest: {
          address: `tel:${to}`,
          senderAddress: `tel:+${sender}`,
          ...(senderName && { senderName }),
          outboundSMSTextMessage: { message: text },
        },
      };
      return outcomeOf(await post(path, body, AbortSignal.timeout(exchangeMs)));
    },
  };
}

function outcomeOf(answer: Answer | NotSent): SmsOutcome {
  if (answer.kind !== 'answered') return answer;
  const { data: code, success: isError } = errorAnswer.safeParse(answer.json);
  const failed = failureByStatus(answer, code);
  if (failed) return code === unknownNumber ? { ...failed, about: 'number' } : failed;
  // Orange may answer a refusal with a status of success.
  if (isError) return { kind: 'refused', failure: `refus${inBrackets(code)}` };
  if (sendAnswer.safeParse(answer.json).success) return { kind: 'sent' };
  return { kind: 'unknown', failure: 'réponse illisible' };
}

/** Keeps the token. Concurrent messages share one request for it; it is renewed when it expires or is refused. */
function keepToken({ url, clientId, clientSecret }: OrangeSettings) {
  let known: { token: string; until: number } | undefined;
  let asking: Promise<string | NotSent> | undefined;
  const fetchToken = async (signal: AbortSignal): Promise<string | NotSent> => {
    const headers = {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
    };
    const request = { url: `${url}/oauth/v3/token`, method: 'POST', headers, body: 'grant_type=client_credentials' };
    const answer = await exchange(request, signal);
    const failed =
      answer.kind === 'answered' ? failureByStatus(answer, errorAnswer.safeParse(answer.json).data) : answer;
    const read = tokenAnswer.safeParse('json' in answer ? answer.json : undefined);
    // Without a token nothing was sent, so the failure is certain.
    if (failed?.kind === 'refused') return { ...failed, failure: `jeton : ${failed.failure}`, about: 'account' };
    if (failed || !read.success)
      return { ...failed, kind: 'unreachable', failure: `jeton : ${failed?.failure ?? 'réponse illisible'}` };
    const { access_token: token, expires_in: seconds } = read.data;
    known = { token, until: performance.now() + seconds * 1_000 - smsLimits.tokenMarginMs };
    return token;
  };
  return {
    async ask(signal: AbortSignal): Promise<string | NotSent> {
      if (known && performance.now() < known.until) return known.token;
      asking ??= fetchToken(signal).finally(() => {
        asking = undefined;
      });
      return asking;
    },
    forget(token: string): void {
      if (known?.token === token) known = undefined;
    },
  };
}

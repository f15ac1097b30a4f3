import * as z from 'zod';
import type { Balance, NotSent, SmsGateway, SmsMessage, SmsOutcome } from '#server/features/sms/sms-route.ts';
import { smsLimits } from '#server/process/sending-limits.ts';
import {
  type Answer,
  type Exchange,
  failureByStatus,
  gatewayIdFrom,
  type KnownCodes,
  openExchange,
  refusal,
} from './exchange.ts';

export interface OrangeSettings {
  /** Such as https://api.orange.com. */
  url: string;
  clientId: string;
  clientSecret: string;
  /** A name that Orange approved, shown instead of the number; 11 characters at most. */
  senderName: string | undefined;
  /** The sending address by dial code, such as 2260000 of 226. */
  senders: Readonly<Record<string, string>>;
  /** The dial codes whose messages it is given: of these it tells what is left. */
  carries: readonly string[];
  exchangeMs?: number;
}

/** `expires_in` is documented as a text. */
const tokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().catch(smsLimits.tokenSeconds),
});
const sendAnswer = z.object({ outboundSMSMessageRequest: z.object({ resourceURL: z.string() }) });
const exception = z.object({ messageId: z.string() });
const errorAnswer = z.union([
  z.object({
    requestError: z
      .object({ serviceException: exception.optional(), policyException: exception.optional() })
      .transform(({ serviceException, policyException }) => (serviceException ?? policyException)?.messageId),
  }),
  z.object({ code: z.union([z.number(), z.string()]) }).transform(({ code }) => ({ requestError: String(code) })),
]);
/** What Orange calls the countries where its API sends, by dial code, and the service that messages are bought of; others begin otherwise. */
const orangeCountries: Readonly<Record<string, string>> = { 226: 'BFA', 225: 'CIV', 223: 'MLI', 221: 'SEN' };
const smsService = 'SMS_OCB';
const unitCount = z.coerce.number().int();
/** Messages that were bought for a country, in the form of version 2.0 and later. */
const listedPack = z
  .object({
    country: z.string(),
    offerName: z.string().default(smsService),
    availableUnits: unitCount,
    status: z.string().default('ACTIVE'),
    expirationDate: z.string().nullish(),
  })
  .transform(({ country, offerName, availableUnits, status, expirationDate }) => ({
    country,
    service: offerName,
    availableUnits,
    expires: expirationDate,
    isActive: status === 'ACTIVE',
  }));
/** And as they were before. */
const nestedPack = z
  .object({
    country: z.string(),
    service: z.string().default(smsService),
    availableUnits: unitCount,
    expires: z.string().nullish(),
  })
  .transform((pack) => ({ ...pack, isActive: true }));
const contractsAnswer = z.union([
  z.array(listedPack),
  z
    .object({ partnerContracts: z.object({ contracts: z.array(z.object({ serviceContracts: z.array(nestedPack) })) }) })
    .transform(({ partnerContracts }) => partnerContracts.contracts.flatMap((each) => each.serviceContracts)),
]);
/** OneAPI: no valid address among those of the message. */
const codes: KnownCodes = { number: /^SVC0004$/ };

/** Orange's SMS API 2.0: Burkina Faso, Côte d'Ivoire, Mali and Senegal. Its token is kept, and renewed when it is refused. */
export function orangeGateway(settings: OrangeSettings): SmsGateway {
  const { url, senders, senderName, exchangeMs = smsLimits.exchangeMs } = settings;
  const exchange = openExchange();
  const takeToken = keepToken(settings, exchange);

  async function callWithToken(
    request: { path: string; body?: object },
    signal: AbortSignal,
    mayRenew = true,
  ): Promise<Answer | NotSent> {
    const token = await takeToken.ask(signal);
    if (typeof token !== 'string') return token;
    const answer = await exchange(
      {
        url: url + request.path,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/json',
          ...(request.body && { 'content-type': 'application/json' }),
        },
        body: request.body && JSON.stringify(request.body),
      },
      signal,
    );
    if (answer.kind !== 'answered' || answer.status !== 401 || !mayRenew) return answer;
    takeToken.forget(token);
    return callWithToken(request, signal, false);
  }

  return {
    name: 'orange',
    dialCodes: Object.keys(senders),
    async send(message) {
      const sender = senders[message.to.slice(1, 4)];
      if (sender === undefined) return { kind: 'refused', failure: 'pays non desservi' };
      const path = `/smsmessaging/v1/outbound/${encodeURIComponent(`tel:+${sender}`)}/requests`;
      const body = requestFor(message, sender, senderName);
      return outcomeOf(await callWithToken({ path, body }, AbortSignal.timeout(exchangeMs)));
    },
    async readBalance() {
      const answer = await callWithToken({ path: '/sms/admin/v1/contracts' }, AbortSignal.timeout(exchangeMs));
      if (answer.kind !== 'answered') return answer;
      const contracts = contractsAnswer.safeParse(answer.json);
      return contracts.success
        ? unitsLeft(contracts.data, settings.carries)
        : (failureByStatus(answer, codeIn(answer.json)) ?? { failure: answer.failure });
    },
    async checkKeys() {
      const token = await takeToken.ask(AbortSignal.timeout(exchangeMs));
      return typeof token === 'string' ? undefined : token;
    },
  };
}

/** The token, asked for once by all who wait for it, and again when it is old or was refused. */
function keepToken({ url, clientId, clientSecret }: OrangeSettings, exchange: Exchange) {
  let known: { token: string; until: number } | undefined;
  let asking: Promise<string | NotSent> | undefined;
  const fetchToken = async (signal: AbortSignal): Promise<string | NotSent> => {
    const answer = await exchange(
      {
        url: `${url}/oauth/v3/token`,
        headers: {
          authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      },
      signal,
    );
    // Without a token nothing was sent, whatever became of the question.
    if (answer.kind !== 'answered') return { kind: 'unreachable', failure: `jeton : ${answer.failure}` };
    const read = tokenAnswer.safeParse(answer.json);
    const failed = failureByStatus(answer, codeIn(answer.json));
    if (failed) {
      const isRefused = failed.kind === 'refused';
      const kind = isRefused ? 'refused' : 'unreachable';
      return { ...failed, kind, failure: `jeton : ${failed.failure}`, ...(isRefused && { about: 'account' }) };
    }
    if (!read.success) return { kind: 'unreachable', failure: `jeton : ${answer.failure}` };
    const { access_token: token, expires_in: seconds } = read.data;
    if (!/^[\x21-\x7e]+$/.test(token)) return { kind: 'unreachable', failure: 'jeton : réponse illisible' };
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

function requestFor({ to, text }: SmsMessage, sender: string, senderName: string | undefined): object {
  return {
    outboundSMSMessageRequest: {
      address: `tel:${to}`,
      senderAddress: `tel:+${sender}`,
      ...(senderName && { senderName }),
      outboundSMSTextMessage: { message: text },
    },
  };
}

function codeIn(json: unknown): string | undefined {
  return errorAnswer.safeParse(json).data?.requestError;
}

function outcomeOf(answer: Answer | NotSent): SmsOutcome {
  if (answer.kind !== 'answered') return answer;
  const failed = failureByStatus(answer, codeIn(answer.json), codes);
  if (failed) return failed;
  // A refusal may come under a status of success.
  if (errorAnswer.safeParse(answer.json).success) return refusal(codeIn(answer.json), codes);
  const sent = sendAnswer.safeParse(answer.json);
  if (!sent.success) return { kind: 'unknown', failure: answer.failure };
  const { resourceURL } = sent.data.outboundSMSMessageRequest;
  return { kind: 'sent', gatewayId: gatewayIdFrom(resourceURL.split('/requests/')[1]) };
}

/** The fewest messages left of a country that is carried; countries without a contract are left out, unless all are. */
function unitsLeft(packs: z.output<typeof contractsAnswer>, carries: readonly string[]): Balance {
  const bought = packs.filter(({ service }) => service.startsWith('SMS'));
  const left = carries.flatMap((dialCode) => {
    const own = bought.filter(({ country }) => country === orangeCountries[dialCode]);
    const live = own.filter(({ isActive, expires }) => isActive && (!expires || Date.parse(expires) >= Date.now()));
    const units = live.reduce((sum, { availableUnits }) => sum + availableUnits, 0);
    return own.length > 0 ? [{ units: Math.max(0, units), dialCode }] : [];
  });
  return left.toSorted((one, other) => one.units - other.units)[0] ?? { units: 0 };
}

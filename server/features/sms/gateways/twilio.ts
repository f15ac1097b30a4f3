import * as z from 'zod';
import type { NotSent, SmsGateway, SmsOutcome } from '#server/features/sms/sms-route.ts';
import { smsLimits } from '#server/process/sending-limits.ts';
import { type Answer, failureByStatus, gatewayIdFrom, type KnownCodes, openExchange, refusal } from './exchange.ts';

export interface TwilioSettings {
  /** Such as https://api.twilio.com. */
  url: string;
  accountSid: string;
  authToken: string;
  /** Who sends: a number or name of the account, or one of its messaging services. */
  sender: { From: string } | { MessagingServiceSid: string };
  /** Where delivery reports go; nowhere where it is undefined. */
  receiptUrl: string | undefined;
  exchangeMs?: number;
  lookUpMs?: number;
}

const messageAnswer = z.object({ sid: z.string(), status: z.string(), error_code: z.number().nullish() });
const listAnswer = z.object({
  messages: z.array(messageAnswer.extend({ body: z.string(), date_created: z.string() })),
});
const accountAnswer = z.object({ status: z.string() });
const errorAnswer = z.object({ code: z.number() });

/** twilio.com/docs/api/errors: a number that gets no SMS; a country, a sender or an account that is closed. */
const codes: KnownCodes = {
  number: /^(?:21211|21214|21217|21610|21612|21614|30003|30005|30006)$/,
  account: /^(?:21408|21603|21606|21659|21660|30002)$/,
};
/** By how much its clock may be off ours: what it made before is another message of the same words. */
const clockMs = 60_000;

/** Twilio's Programmable Messaging: every country. Its codes change, so that statuses decide and codes are only told. */
export function twilioGateway(settings: TwilioSettings): SmsGateway {
  const { url, accountSid, authToken, sender, receiptUrl, exchangeMs = smsLimits.exchangeMs } = settings;
  const exchange = openExchange();
  const account = `${url}/2010-04-01/Accounts/${accountSid}`;
  const headers = {
    authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
    accept: 'application/json',
  };
  return {
    name: 'twilio',
    dialCodes: undefined,
    async send({ to, text }) {
      const form = new URLSearchParams({ To: to, ...sender, Body: text });
      if (receiptUrl) form.set('StatusCallback', receiptUrl);
      const answer = await exchange(
        {
          url: `${account}/Messages.json`,
          headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
          body: form.toString(),
        },
        AbortSignal.timeout(exchangeMs),
      );
      if (answer.kind !== 'answered') return answer;
      const { data } = messageAnswer.safeParse(answer.json);
      return failureIn(answer) ?? (data ? outcomeOf(data) : { kind: 'unknown', failure: answer.failure });
    },
    // It knows no name of ours: the message is known by its number and words, a code's among them.
    async find({ to, text }, since) {
      const query = new URLSearchParams({ To: to, PageSize: '20' });
      const signal = AbortSignal.timeout(settings.lookUpMs ?? smsLimits.lookUpMs);
      const answer = await exchange({ url: `${account}/Messages.json?${query}`, headers }, signal);
      if (answer.kind !== 'answered' || answer.status !== 200) return undefined;
      const { messages = [] } = listAnswer.safeParse(answer.json).data ?? {};
      const from = since.getTime() - clockMs;
      const found = messages.find(({ body, date_created: at }) => body.endsWith(text) && Date.parse(at) >= from);
      return found && outcomeOf(found);
    },
    async checkKeys() {
      const answer = await exchange({ url: `${account}.json`, headers }, AbortSignal.timeout(exchangeMs));
      if (answer.kind !== 'answered') return answer;
      const failed = failureIn(answer);
      if (failed) return failed;
      const { data } = accountAnswer.safeParse(answer.json);
      if (!data) return { kind: 'unknown', failure: answer.failure };
      return data.status === 'active' ? undefined : { ...refusal(data.status), about: 'account' };
    },
  };
}

function failureIn(answer: Answer): NotSent | undefined {
  return failureByStatus(answer, errorAnswer.safeParse(answer.json).data?.code, codes);
}

function outcomeOf({ sid, status, error_code: code }: z.output<typeof messageAnswer>): SmsOutcome {
  if (['failed', 'undelivered', 'canceled'].includes(status)) return refusal(code ?? status, codes);
  return { kind: 'sent', gatewayId: gatewayIdFrom(sid) };
}

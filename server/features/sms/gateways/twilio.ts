import * as z from 'zod';
import type { SmsGateway } from '#server/features/sms/gateway.ts';
import { smsLimits } from '#server/process/sms-limits.ts';
import { openExchange } from './exchange.ts';
import { failureByStatus, gatewayIdFrom, refusal } from './reading.ts';

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
}

const sendAnswer = z.object({ sid: z.string(), status: z.string(), error_code: z.number().nullish() });
const errorAnswer = z.object({ code: z.number() });

/** Twilio's Programmable Messaging: every country. Its codes change, so that statuses decide and codes are only told. */
export function twilioGateway(settings: TwilioSettings): SmsGateway {
  const { url, accountSid, authToken, sender, receiptUrl, exchangeMs = smsLimits.exchangeMs } = settings;
  const exchange = openExchange();
  return {
    name: 'twilio',
    dialCodes: undefined,
    async send({ to, text }) {
      const form = new URLSearchParams({ To: to, ...sender, Body: text });
      if (receiptUrl) form.set('StatusCallback', receiptUrl);
      const answer = await exchange(
        {
          url: `${url}/2010-04-01/Accounts/${accountSid}/Messages.json`,
          method: 'POST',
          headers: {
            authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
            accept: 'application/json',
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: form.toString(),
        },
        AbortSignal.timeout(exchangeMs),
      );
      if (answer.kind !== 'answered') return answer;
      const failed = failureByStatus(answer.status, errorAnswer.safeParse(answer.json).data?.code);
      if (failed) return failed;
      const sent = sendAnswer.safeParse(answer.json);
      if (!sent.success) return { kind: 'unknown', failure: answer.failure };
      const { sid, status, error_code: code } = sent.data;
      if (['failed', 'undelivered', 'canceled'].includes(status)) return refusal(code ?? status);
      return { kind: 'sent', gatewayId: gatewayIdFrom(sid) };
    },
  };
}

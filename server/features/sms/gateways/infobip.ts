import * as z from 'zod';
import type { NotSent, SmsGateway, SmsOutcome } from '#server/features/sms/sms-route.ts';
import { smsLimits } from '#server/process/sending-limits.ts';
import { type Answer, failureByStatus, gatewayIdFrom, type KnownCodes, openExchange, refusal } from './exchange.ts';

export interface InfobipSettings {
  /** The account's own address, such as https://xxxxx.api.infobip.com. */
  url: string;
  apiKey: string;
  sender: string;
  /** Where delivery reports go; nowhere where it is undefined. */
  receiptUrl: string | undefined;
  exchangeMs?: number;
  lookUpMs?: number;
}

const message = z.object({
  messageId: z.string(),
  /** 0 accepted (older accounts), 1 pending, 2 undeliverable, 3 delivered, 4 expired, 5 rejected. */
  status: z.object({ groupId: z.number(), name: z.string().optional() }),
});
const sendAnswer = z.object({ messages: z.tuple([message]) });
const logsAnswer = z.object({ results: z.array(message) });
const errorAnswer = z.union([
  z.object({ errorCode: z.string() }),
  z
    .object({ requestError: z.object({ serviceException: z.object({ messageId: z.string() }) }) })
    .transform(({ requestError }) => ({ errorCode: requestError.serviceException.messageId })),
]);

/** Names of statuses (infobip.com/docs/essentials/response-status-and-error-codes). */
const codes: KnownCodes = {
  number: /^UNDELIVERABLE_|^REJECTED_(?:DESTINATION|PREFIX_MISSING|DND)$/,
  account: /^REJECTED_(?!DESTINATION$|PREFIX_MISSING$|DND$|MESSAGE_|INVALID_UDH$)/,
};

/** Infobip's SMS API v3: every country. It tells what became of a message by our own name for it. */
export function infobipGateway(settings: InfobipSettings): SmsGateway {
  const { url, apiKey, sender, receiptUrl, exchangeMs = smsLimits.exchangeMs } = settings;
  const exchange = openExchange();
  const headers = { authorization: `App ${apiKey}`, accept: 'application/json' };
  return {
    name: 'infobip',
    dialCodes: undefined,
    async send({ to, text, reference }) {
      const body = {
        messages: [
          {
            sender,
            destinations: [{ to: to.slice(1), messageId: reference }],
            content: { text },
            ...(receiptUrl && { webhooks: { delivery: { url: receiptUrl }, contentType: 'application/json' } }),
          },
        ],
      };
      const answer = await exchange(
        {
          url: `${url}/sms/3/messages`,
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
        AbortSignal.timeout(exchangeMs),
      );
      return outcomeOf(answer, sendAnswer.safeParse('json' in answer ? answer.json : undefined).data?.messages[0]);
    },
    async find({ reference }) {
      const query = new URLSearchParams({ messageId: reference });
      const signal = AbortSignal.timeout(settings.lookUpMs ?? smsLimits.lookUpMs);
      const answer = await exchange({ url: `${url}/sms/3/logs?${query}`, headers }, signal);
      if (answer.kind !== 'answered' || answer.status !== 200) return undefined;
      const { results = [] } = logsAnswer.safeParse(answer.json).data ?? {};
      const found = results.find(({ messageId }) => messageId === reference);
      return found && outcomeOf(answer, found);
    },
    async checkKeys() {
      const answer = await exchange({ url: `${url}/account/1/balance`, headers }, AbortSignal.timeout(exchangeMs));
      return answer.kind === 'answered' ? failureByStatus(answer, codeIn(answer)) : answer;
    },
  };
}

const codeIn = ({ json }: Answer) => errorAnswer.safeParse(json).data?.errorCode;

function outcomeOf(answer: Answer | NotSent, told: z.output<typeof message> | undefined): SmsOutcome {
  if (answer.kind !== 'answered') return answer;
  const failed = failureByStatus(answer, codeIn(answer));
  if (failed) return failed;
  const { groupId, name } = told?.status ?? {};
  // It has one of that name: ours, of an attempt whose end was not heard.
  const isKnown = name === 'REJECTED_DUPLICATE_MESSAGE_ID';
  // A rejection comes under 200 too.
  if (!isKnown && (groupId === 2 || groupId === 4 || groupId === 5)) return refusal(name, codes);
  if (isKnown || groupId === 0 || groupId === 1 || groupId === 3)
    return { kind: 'sent', gatewayId: gatewayIdFrom(told?.messageId) };
  return { kind: 'unknown', failure: answer.failure };
}

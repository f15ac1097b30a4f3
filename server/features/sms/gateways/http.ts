import type { SmsGateway, SmsMessage } from '#server/features/sms/sms-route.ts';
import { smsLimits } from '#server/process/sending-limits.ts';
import { failureByStatus, gatewayIdFrom, openExchange } from './exchange.ts';

export interface HttpGatewaySettings {
  url: string;
  /** Of the request, such as one with a key; one that the request has anyway is replaced. */
  headers: Readonly<Record<string, string>>;
  contentType: 'json' | 'form';
  /** With {to}, {toDigits}, {text}, {sender} and {reference}. */
  body: string;
  sender: string;
  /** Where in the answer what stands when a message was taken; without it the status alone tells. */
  success: { path: readonly string[]; value: string | undefined } | undefined;
  /** Where in the answer the gateway's name for the message stands. */
  idPath: readonly string[] | undefined;
  dialCodes: readonly string[] | undefined;
  exchangeMs?: number;
}

const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** Any gateway that takes a message as one POST: its address, headers, body and answer are settings. */
export function httpGateway(settings: HttpGatewaySettings): SmsGateway {
  const { url, headers, contentType, success, idPath, exchangeMs = smsLimits.exchangeMs } = settings;
  const exchange = openExchange();
  // Theirs in place of ours, however they write the names.
  const sent = new Headers({ accept: 'application/json', 'content-type': contentTypes[contentType] });
  for (const [name, value] of Object.entries(headers)) sent.set(name, value);
  return {
    name: 'http',
    dialCodes: settings.dialCodes,
    async send(message) {
      const answer = await exchange(
        {
          url,
          headers: Object.fromEntries(sent),
          body: fillTemplate(settings, message),
        },
        AbortSignal.timeout(exchangeMs),
      );
      if (answer.kind !== 'answered') return answer;
      const failed = failureByStatus(answer, undefined);
      if (failed) return failed;
      const told = success && valueAt(answer.json, success.path);
      if (success && (told === undefined || told === null)) return { kind: 'unknown', failure: answer.failure };
      if (success?.value !== undefined && String(told) !== success.value)
        return { kind: 'refused', failure: 'refus dans la réponse' };
      const id = idPath && valueAt(answer.json, idPath);
      return { kind: 'sent', gatewayId: gatewayIdFrom(typeof id === 'number' ? String(id) : id) };
    },
  };
}

/** The body with its places filled, each escaped as the content type has it; what stands in a text is never a place. */
function fillTemplate({ body, contentType, sender }: HttpGatewaySettings, message: SmsMessage): string {
  const { to, text, reference } = message;
  const values: Record<string, string> = { to, toDigits: to.slice(1), text, sender, reference };
  return body.replace(/\{(to|toDigits|text|sender|reference)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return contentType === 'json' ? JSON.stringify(value).slice(1, -1) : encodeURIComponent(value);
  });
}

function valueAt(json: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key)
        ? (value as Record<string, unknown>)[key]
        : undefined,
    json,
  );
}

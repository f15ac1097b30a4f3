import { smsLimits } from '#server/features/sms/limits.ts';
import type { SmsGateway, SmsMessage } from '#server/features/sms/sms-route.ts';
import { exchange, failureByStatus, withOwnWords } from './http-exchange.ts';

export interface HttpGatewaySettings {
  method: 'GET' | 'POST';
  /** May hold the placeholders {to}, {toDigits}, {text} and {from}, as the body may. */
  url: string;
  /** Headers of the request, such as a key. They replace the default ones. */
  headers: Readonly<Record<string, string>>;
  contentType: 'json' | 'form';
  body: string | undefined;
  from: string;
  /** The field and value of the answer that mean success. Without it the status decides. */
  success: { path: readonly string[]; value: string | undefined } | undefined;
  exchangeMs?: number;
}

const contentTypes = { json: 'application/json', form: 'application/x-www-form-urlencoded' };

/** A gateway that takes a message as one HTTP request. Its address, headers, body and answer are settings. */
export function httpGateway(settings: HttpGatewaySettings): SmsGateway {
  const { method, url, contentType, body, success, from, exchangeMs = smsLimits.exchangeMs } = settings;
  // Configured headers replace the default ones, in any case.
  const headers = new Headers({
    accept: 'application/json',
    ...(body && { 'content-type': contentTypes[contentType] }),
  });
  for (const [name, value] of Object.entries(settings.headers)) headers.set(name, value);
  return {
    name: 'http',
    async send(message) {
      const filled = { ...message, from, toDigits: message.to.slice(1) };
      const request = {
        method,
        headers,
        url: fillTemplate(url, filled, encodeURIComponent),
        body: body && fillTemplate(body, filled, contentType === 'json' ? inJson : encodeURIComponent),
      };
      const answer = await exchange(request, AbortSignal.timeout(exchangeMs));
      if (answer.kind !== 'answered') return answer;
      const failed = failureByStatus(answer);
      if (failed) return { ...failed, failure: withOwnWords(failed.failure, answer, message.text) };
      const told = success && valueAt(answer.json, success.path);
      if (success && (told === undefined || told === null)) return { kind: 'unknown', failure: 'réponse illisible' };
      if (success?.value !== undefined && String(told) !== success.value)
        return { kind: 'refused', failure: withOwnWords('refus dans la réponse', answer, message.text, told) };
      return { kind: 'sent' };
    },
  };
}

const inJson = (value: string) => JSON.stringify(value).slice(1, -1);

/** Fills a template's placeholders. A placeholder inside a message's text stays as it is. */
function fillTemplate(
  template: string,
  values: SmsMessage & { from: string; toDigits: string },
  escaped: (value: string) => string,
): string {
  return template.replace(/\{(to|toDigits|text|from)\}/g, (_, name: keyof typeof values) => escaped(values[name]));
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

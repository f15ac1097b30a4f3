import { createRoute, type SmsGateway, type SmsRoute } from '#server/features/sms/sms-route.ts';
import type { Environment } from '#server/process/environment.ts';
import { type GatewayName, planSms } from '#server/process/sms-settings.ts';
import { httpGateway } from './http.ts';
import { consoleGateway, fileGateway } from './local.ts';
import { orangeGateway } from './orange.ts';

interface RouteTools {
  /** The default file of the `file` gateway. */
  file: string;
  /** Prints a line of `console` for the operator. */
  print(line: string): void;
}

/** The route that the settings describe. Throws for incomplete settings, which reading them refuses earlier. */
export function openRoute(environment: Environment, tools: RouteTools): SmsRoute {
  const { names, byDialCode } = planSms(environment);
  const gateways = new Map(names.map((name) => [name, openGateway(name, environment, tools)]));
  const listed = (list: readonly GatewayName[]) => list.flatMap((name) => gateways.get(name) ?? []);
  return createRoute([...gateways.values()], new Map([...byDialCode].map(([code, list]) => [code, listed(list)])));
}

function openGateway(name: GatewayName, environment: Environment, tools: RouteTools): SmsGateway {
  const required = <Value>(value: Value | undefined): Value => {
    if (value === undefined) throw new Error(`a setting of the SMS gateway ${name} is missing`);
    return value;
  };
  switch (name) {
    case 'console':
      return consoleGateway(tools.print);
    case 'file':
      return fileGateway(environment.SMS_FILE ?? tools.file);
    case 'orange':
      return orangeGateway({
        url: environment.ORANGE_URL,
        clientId: required(environment.ORANGE_CLIENT_ID),
        clientSecret: required(environment.ORANGE_CLIENT_SECRET),
        senderName: environment.ORANGE_SENDER_NAME,
      });
    case 'http': {
      const { SMS_HTTP_BASIC: basic, SMS_HTTP_HEADERS: headers } = environment;
      const authorization = basic && `Basic ${Buffer.from(basic).toString('base64')}`;
      return httpGateway({
        method: environment.SMS_HTTP_METHOD,
        url: required(environment.SMS_HTTP_URL),
        headers: authorization ? { authorization, ...headers } : headers,
        contentType: environment.SMS_HTTP_TYPE,
        body: environment.SMS_HTTP_BODY,
        from: environment.SMS_HTTP_FROM,
        success: environment.SMS_HTTP_SUCCESS,
      });
    }
  }
}

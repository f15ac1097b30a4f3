import { receiptAddress } from '#server/features/sms/receipts.ts';
import { createRoute, type SmsGateway, type SmsRoute } from '#server/features/sms/sms-route.ts';
import type { Environment } from '#server/process/environment.ts';
import { type GatewayName, gatewayPrefixes, planSms } from '#server/process/sms-settings.ts';
import { httpGateway } from './http.ts';
import { infobipGateway } from './infobip.ts';
import { consoleGateway, fileGateway } from './local.ts';
import { orangeGateway } from './orange.ts';
import { twilioGateway } from './twilio.ts';

interface RouteTools {
  /** Where messages of `file` go unless a setting says so. */
  file: string;
  receiptSecret: string;
  /** Prints a line of `console` for the operator. */
  print(line: string): void;
}

/** The route that the settings ask for. Throws where they miss something, which reading them has refused before. */
export function openRoute(environment: Environment, tools: RouteTools): SmsRoute {
  const { names, byDialCode } = planSms(environment);
  const carries = (name: GatewayName) =>
    [...byDialCode].filter(([, list]) => list.includes(name)).map(([code]) => code);
  const gateways = new Map(
    names.map((name) => {
      const gateway = openGateway(name, environment, tools, carries(name));
      return [name, { ...gateway, perSecond: perSecondOf(name, environment) }];
    }),
  );
  const listed = (list: readonly GatewayName[]) => list.flatMap((name) => gateways.get(name) ?? []);
  return createRoute([...gateways.values()], new Map([...byDialCode].map(([code, list]) => [code, listed(list)])));
}

function perSecondOf(name: GatewayName, environment: Environment): number | undefined {
  return name === 'console' || name === 'file' ? undefined : environment[`${gatewayPrefixes[name]}_PER_SECOND`];
}

function openGateway(
  name: GatewayName,
  environment: Environment,
  tools: RouteTools,
  carries: readonly string[],
): SmsGateway {
  const receiptUrl = receiptAddress(environment.PUBLIC_URL, tools.receiptSecret, name);
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
        senders: environment.ORANGE_SENDERS,
        carries,
      });
    case 'infobip':
      return infobipGateway({
        url: required(environment.INFOBIP_URL),
        apiKey: required(environment.INFOBIP_API_KEY),
        sender: required(environment.INFOBIP_SENDER),
        receiptUrl,
      });
    case 'twilio':
      return twilioGateway({
        url: environment.TWILIO_URL,
        accountSid: required(environment.TWILIO_ACCOUNT_SID),
        authToken: required(environment.TWILIO_AUTH_TOKEN),
        sender:
          environment.TWILIO_MESSAGING_SERVICE_SID === undefined
            ? { From: required(environment.TWILIO_FROM) }
            : { MessagingServiceSid: environment.TWILIO_MESSAGING_SERVICE_SID },
        receiptUrl,
      });
    case 'http':
      return httpGateway({
        url: required(environment.SMS_HTTP_URL),
        headers: environment.SMS_HTTP_HEADERS,
        contentType: environment.SMS_HTTP_TYPE,
        body: required(environment.SMS_HTTP_BODY),
        sender: environment.SMS_HTTP_SENDER,
        success: environment.SMS_HTTP_SUCCESS,
        idPath: environment.SMS_HTTP_ID,
        dialCodes: environment.SMS_HTTP_COUNTRIES,
      });
  }
}

import { isDeepStrictEqual } from 'node:util';
import { type FakeGateway, type Protocol, type Reply, startFakeGateway } from './fake-gateway.ts';

export interface FakeOrange extends FakeGateway {
  /** How often a token was asked for. */
  tokens(): number;
  /** From now on no token given so far is good. */
  expireTokens(): void;
  /** Messages left, by Orange's names of countries. A pack of the first, and a trial of Senegal, are over. */
  units: Record<string, number>;
  /** How it tells them: as a list since version 2.0, as contracts within contracts before. */
  contracts: 'listed' | 'nested' | 'unreadable';
}

export const orangeKeys = { clientId: 'orange-client', clientSecret: 'orange-client-secret' };
const basic = `Basic ${Buffer.from(`${orangeKeys.clientId}:${orangeKeys.clientSecret}`).toString('base64')}`;

const exception = (status: number, kind: 'serviceException' | 'policyException', messageId: string): Reply => ({
  status,
  json: { requestError: { [kind]: { messageId, text: 'Refused for tel:+22670123456', variables: ['+22670123456'] } } },
});

/** Orange's SMS API 2.0: a token by OAuth, then one message a request, sent from the country's own number. */
export async function startOrange(): Promise<FakeOrange> {
  let given = 0;
  let good = '';
  const units: Record<string, number> = { BFA: 1_000 };

  const protocol: Protocol = {
    receive({ method, path, headers, body }) {
      if (method === 'POST' && path === '/oauth/v3/token') {
        const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
        if (headers.authorization !== basic || !isForm || body !== 'grant_type=client_credentials')
          return { status: 401, json: { error: 'invalid_client', error_description: 'The client is not known' } };
        given += 1;
        good = `token-${given}`;
        // Documented as a text.
        return { status: 200, json: { token_type: 'Bearer', access_token: good, expires_in: '3600' } };
      }
      if (headers.authorization !== `Bearer ${good}` || good === '')
        return { status: 401, json: { code: 42, message: 'Expired credentials', description: 'Renew the token' } };
      if (method === 'GET' && path === '/sms/admin/v1/contracts')
        return { status: 200, json: contracts[standIn.contracts](units) };
      const sender = /^\/smsmessaging\/v1\/outbound\/tel%3A%2B(2260000|2250000|2230000|2210000)\/requests$/.exec(
        path,
      )?.[1];
      if (method !== 'POST' || !sender || headers['content-type'] !== 'application/json')
        return exception(404, 'serviceException', 'SVC0002');
      const { outboundSMSMessageRequest: asked } = JSON.parse(body);
      const to = /^tel:(\+\d{11,13})$/.exec(asked?.address)?.[1];
      const message = asked?.outboundSMSTextMessage?.message;
      const expected = {
        address: asked?.address,
        senderAddress: `tel:+${sender}`,
        senderName: 'Guichet',
        outboundSMSTextMessage: { message },
      };
      if (
        !to?.startsWith(`+${sender.slice(0, 3)}`) ||
        typeof message !== 'string' ||
        !isDeepStrictEqual(asked, expected)
      )
        return exception(400, 'serviceException', 'SVC0004');
      return { to, text: message, reference: undefined };
    },
    takes: ({ to, text }, place) => ({
      status: 201,
      json: {
        outboundSMSMessageRequest: {
          address: [`tel:${to}`],
          senderAddress: 'tel:+2260000',
          outboundSMSTextMessage: { message: text },
          resourceURL: `https://api.orange.com/smsmessaging/v1/outbound/tel:+2260000/requests/orange-${place}`,
        },
      },
    }),
    refuses: exception(403, 'policyException', 'POL0001'),
    knowsNobody: exception(400, 'serviceException', 'SVC0004'),
    lies: exception(200, 'serviceException', 'SVC0280'),
  };
  const standIn: FakeOrange = Object.assign(await startFakeGateway(protocol), {
    contracts: 'listed' as const,
    tokens: () => given,
    expireTokens() {
      good = 'none';
    },
    units,
  });
  return standIn;
}

/** The countries of packs that are over. */
const overOf = (units: Record<string, number>) => [Object.keys(units)[0], 'SEN'];

const contracts = { listed: listContracts, nested: nestContracts, unreadable: () => ({ contracts: 'none' }) };

/** As developer.orange.com documents it ("Votre solde de SMS"). */
function listContracts(units: Record<string, number>): object {
  const contract = (country: string | undefined, availableUnits: number, more: object = {}) => ({
    id: `contract-${country}`,
    developerId: 'guichet',
    applicationId: 'guichet',
    country,
    offerName: 'SMS_OCB',
    availableUnits,
    requestedUnits: 0,
    status: 'ACTIVE',
    expirationDate: '2099-01-05T12:56:41.000Z',
    creationDate: '2020-01-05T12:56:41.000Z',
    lastUpdateDate: '2020-01-05T12:56:41.000Z',
    ...more,
  });
  return [
    ...Object.entries(units).map(([country, availableUnits]) => contract(country, availableUnits)),
    ...overOf(units).map((country) => contract(country, 77, { expirationDate: '2019-01-05T12:56:41.000Z' })),
    contract('SEN', 78, { status: 'EXPIRED' }),
    contract(Object.keys(units)[0], 3, { offerName: 'USSD_OCB' }),
  ];
}

function nestContracts(units: Record<string, number>): object {
  return {
    partnerContracts: {
      partnerId: 'GUICHET',
      contracts: [
        {
          service: 'SMS_OCB',
          contractDescription: 'SMS API',
          serviceContracts: [
            ...Object.entries(units).map(([country, availableUnits]) => ({
              country,
              service: 'SMS_OCB',
              contractId: 'a1',
              availableUnits,
              expires: '2099-01-05T12:56:41',
              scDescription: 'Pack',
            })),
            ...overOf(units).map((country) => ({
              country,
              service: 'SMS_OCB',
              contractId: 'a0',
              availableUnits: 77,
              expires: '2019-01-05T12:56:41',
              scDescription: 'Over',
            })),
            {
              country: Object.keys(units)[0],
              service: 'USSD_OCB',
              contractId: 'a2',
              availableUnits: 3,
              expires: '2099-01-05T12:56:41',
              scDescription: 'Another service',
            },
          ],
        },
      ],
    },
  };
}

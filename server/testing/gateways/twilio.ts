import { isDeepStrictEqual } from 'node:util';
import { type FakeGateway, type Protocol, startFakeGateway } from './fake-gateway.ts';

export const twilioKeys = { accountSid: 'AC0123456789abcdef', authToken: 'twilio-token', from: '+15005550006' };

const failure = (code: number, status: number) => ({
  status,
  json: { code, message: 'Not +22670123456', more_info: `https://www.twilio.com/docs/errors/${code}`, status },
});

const described = (to: string, text: string, place: number) => ({
  sid: `SM${place}`,
  status: 'queued',
  error_code: null,
  error_message: null,
  to,
  body: text,
});

/** Twilio's Programmable Messaging: a form under HTTP Basic. */
export function startTwilio({ receiptUrl }: { receiptUrl?: string } = {}): Promise<FakeGateway> {
  const basic = `Basic ${Buffer.from(`${twilioKeys.accountSid}:${twilioKeys.authToken}`).toString('base64')}`;
  const protocol: Protocol = {
    receive({ method, path, query, headers, body }, taken) {
      if (headers.authorization !== basic) return failure(20003, 401);
      const account = `/2010-04-01/Accounts/${twilioKeys.accountSid}`;
      if (method === 'GET' && path === `${account}.json`)
        return { status: 200, json: { sid: twilioKeys.accountSid, status: 'active', type: 'Full' } };
      if (method === 'GET' && path === `${account}/Messages.json`) {
        const messages = taken.flatMap(({ to, text }, index) =>
          to === query.get('To') ? [{ ...described(to, text, index + 1), date_created: new Date().toUTCString() }] : [],
        );
        return { status: 200, json: { messages: messages.toReversed(), page_size: 20 } };
      }
      const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
      if (method !== 'POST' || path !== `${account}/Messages.json` || !isForm) return failure(20404, 404);
      const form = Object.fromEntries(new URLSearchParams(body));
      const { To: to = '', Body: text = '' } = form;
      const expected = {
        To: to,
        From: twilioKeys.from,
        Body: text,
        ...(receiptUrl && { StatusCallback: receiptUrl }),
      };
      if (!/^\+\d{11,13}$/.test(to) || text === '' || !isDeepStrictEqual(form, expected)) return failure(21211, 400);
      return { to, text, reference: undefined };
    },
    takes: ({ to, text }, place) => ({
      status: 201,
      json: described(to, text, place),
    }),
    refuses: failure(21614, 400),
    knowsNobody: failure(21211, 400),
    lies: { status: 201, json: { sid: 'SM0', status: 'failed', error_code: 30034, error_message: 'No' } },
  };
  return startFakeGateway(protocol);
}

import { isDeepStrictEqual } from 'node:util';
import { type Asked, type FakeGateway, type Protocol, startFakeGateway } from './fake-gateway.ts';

export const infobipKeys = { apiKey: 'infobip-key', sender: 'Guichet' };

const status = (groupId: number, groupName: string, name: string) => ({
  groupId,
  groupName,
  id: 26,
  name,
  description: 'About 22670123456',
});
const pending = status(1, 'PENDING', 'PENDING_ACCEPTED');
const answerWith = (told: object, { to = '', reference = '' }: Partial<Asked> = {}) => ({
  bulkId: 'bulk-1',
  messages: [{ messageId: reference, destination: to.slice(1), status: told }],
});

/** Infobip's SMS API v3: a key, one request with our own names for messages, and logs by these names. */
export function startInfobip({ receiptUrl }: { receiptUrl?: string } = {}): Promise<FakeGateway> {
  const protocol: Protocol = {
    receive({ method, path, query, headers, body }, taken) {
      if (headers.authorization !== `App ${infobipKeys.apiKey}`)
        return { status: 401, json: { requestError: { serviceException: { messageId: 'UNAUTHORIZED', text: 'No' } } } };
      if (method === 'GET' && path === '/account/1/balance')
        return { status: 200, json: { balance: 47.79134, currency: 'EUR' } };
      if (method === 'GET' && path === '/sms/3/logs') {
        const found = taken.filter(({ reference }) => reference === query.get('messageId'));
        const results = found.map(({ to, reference }) => ({
          messageId: reference,
          sender: infobipKeys.sender,
          destination: to.slice(1),
          status: pending,
        }));
        return { status: 200, json: { results, cursor: { limit: 50 } } };
      }
      const isJson = headers['content-type'] === 'application/json';
      if (method !== 'POST' || path !== '/sms/3/messages' || !isJson) return notFound;
      const asked = JSON.parse(body);
      const { destinations, content } = asked?.messages?.[0] ?? {};
      const { to, messageId } = destinations?.[0] ?? {};
      const expected = {
        messages: [
          {
            sender: infobipKeys.sender,
            destinations: [{ to, messageId }],
            content: { text: content?.text },
            ...(receiptUrl && { webhooks: { delivery: { url: receiptUrl }, contentType: 'application/json' } }),
          },
        ],
      };
      const isRight = /^\d{11,13}$/.test(to) && /^[0-9a-f-]{36}$/.test(messageId) && isDeepStrictEqual(asked, expected);
      return isRight ? { to: `+${to}`, text: content.text, reference: messageId } : badRequest;
    },
    takes: (message) => ({ status: 200, json: answerWith(pending, message) }),
    refuses: {
      status: 400,
      json: { errorCode: 'E402', description: 'No', action: 'Pay', violations: [], resources: [] },
    },
    knowsNobody: { status: 200, json: answerWith(status(5, 'REJECTED', 'REJECTED_DESTINATION')) },
    lies: { status: 200, json: answerWith(status(5, 'REJECTED', 'REJECTED_NOT_ENOUGH_CREDITS')) },
  };
  return startFakeGateway(protocol);
}

const notFound = {
  status: 404,
  json: { errorCode: 'E404', description: 'No', action: '', violations: [], resources: [] },
};
const badRequest = {
  status: 400,
  json: { errorCode: 'E400', description: 'No', action: '', violations: [], resources: [] },
};

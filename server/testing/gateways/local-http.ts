import { type FakeGateway, type Protocol, startFakeGateway } from './fake-gateway.ts';

export const localHttpSettings = {
  headers: { 'X-AUTH-TOKEN': 'local-token' },
  body: '{"from":"{sender}","to":["{to}"],"digits":"{toDigits}","text":"{text}","ref":"{reference}"}',
};

/** A gateway of a small company, which knows one address, one key in a header, and JSON or forms of the same fields. */
export function startLocalHttp(): Promise<FakeGateway> {
  const protocol: Protocol = {
    receive({ method, path, headers, body }) {
      if (headers['x-auth-token'] !== 'local-token') return { status: 401, json: { success: false } };
      const isJson = headers['content-type'] === 'application/json';
      const isForm = headers['content-type'] === 'application/x-www-form-urlencoded';
      if (method !== 'POST' || path !== '/api/v1/sms' || !(isJson || isForm))
        return { status: 404, json: { success: false } };
      const fields = isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body);
      const { from, digits, text, ref } = fields;
      const [to, ...others] = [fields.to].flat();
      const isRight =
        from === 'Guichet & fils' && others.length === 0 && to === `+${digits}` && /^[0-9a-f-]{36}$/.test(ref);
      return isRight ? { to, text, reference: ref } : { status: 400, json: { success: false } };
    },
    takes: (_, place) => ({ status: 200, json: { data: [{ status: 'ok', id: place }] } }),
    refuses: { status: 402, json: { data: [{ status: 'no credit' }] } },
    knowsNobody: { status: 422, json: { data: [{ status: 'no such number' }] } },
    lies: { status: 200, json: { data: [{ status: 'no credit' }] } },
  };
  return startFakeGateway(protocol);
}

import { once } from 'node:events';
import http from 'node:http';

export interface PolledAnswer {
  /** 0 where the connection failed. */
  status: number;
  // Each view looks into answers of its own shape.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
  total: string | undefined;
  sentAt: number;
  doneAt: number;
}

/** The longest that a call may take: the server gives up a handler after 20 s. */
const longestMs = 30_000;

/** Calls one process as a phone does: over a connection that is kept, telling which answers it has. */
export class PollingClient {
  readonly #agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  readonly #port: number;
  readonly #kept = new Map<string, { etag: string; text: string; total: string | undefined }>();
  /** Answers 304 so far. */
  unchanged = 0;

  constructor(port: number) {
    this.#port = port;
  }

  async get(url: string, cookie = ''): Promise<PolledAnswer> {
    const key = `${cookie} ${url}`;
    const kept = this.#kept.get(key);
    const answer = await this.#send('GET', url, { cookie, ...(kept && { 'if-none-match': kept.etag }) });
    const { status, etag, text, total } = answer;
    if (status === 304) {
      this.unchanged += 1;
      // A 304 of another ETag would have it show what it never had.
      if (!kept || etag !== kept.etag) throw new Error(`304 for ${etag}, asked with ${kept?.etag}`);
      return { ...answer, body: JSON.parse(kept.text), total: kept.total };
    }
    if (status === 200 && etag) this.#kept.set(key, { etag, text, total });
    return { ...answer, body: text && JSON.parse(text) };
  }

  async write(method: 'POST' | 'PUT' | 'PATCH', url: string, cookie: string, body?: object, key?: string) {
    const headers = { cookie, ...(key && { 'idempotency-key': key }) };
    const answer = await this.#send(method, url, headers, body && JSON.stringify(body));
    return { ...answer, body: answer.text && JSON.parse(answer.text) };
  }

  close(): void {
    this.#agent.destroy();
  }

  async #send(method: string, path: string, headers: Record<string, string>, body?: string) {
    const sentAt = performance.now();
    const failed = { status: 0, text: '', etag: undefined, total: undefined };
    try {
      const request = http.request({
        agent: this.#agent,
        host: '127.0.0.1',
        port: this.#port,
        method,
        path,
        headers: {
          ...headers,
          ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        },
        timeout: longestMs,
      });
      request.once('timeout', () => request.destroy(new Error('no answer')));
      request.end(body);
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      let text = '';
      for await (const piece of response.setEncoding('utf8')) text += piece;
      const total = response.headers['x-total-count'] as string | undefined;
      const { etag } = response.headers;
      return { status: response.statusCode ?? 0, text, etag, total, sentAt, doneAt: performance.now() };
    } catch {
      return { ...failed, sentAt, doneAt: performance.now() };
    }
  }
}

import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as it came. */
export interface Asked {
  method: string;
  /** With its query. */
  path: string;
  headers: http.IncomingHttpHeaders;
  body: string;
  raw: Buffer;
}

export interface Reply {
  status: number;
  /** Sent as JSON, a text as it is. */
  body?: unknown;
  headers?: Record<string, string>;
}

export interface FakeGateway {
  url: string;
  /** Every request, in order, whatever became of it. */
  asked: Asked[];
  /** What it makes of a request from now on; it hangs up without an answer, or never answers. */
  reply: (asked: Asked) => Reply | 'hangs up' | 'hangs';
  close(): Promise<void>;
}

/** Starts another's server on this machine, which answers as it is told. */
export async function startFakeGateway(reply: FakeGateway['reply']): Promise<FakeGateway> {
  const server = http.createServer(async (request, response) => {
    const raw = await buffer(request);
    const { method = '', url: path = '', headers } = request;
    const asked = { method, path, headers, body: raw.toString(), raw };
    gateway.asked.push(asked);
    const answer = gateway.reply(asked);
    if (answer === 'hangs') return;
    if (answer === 'hangs up') return void response.socket?.resetAndDestroy();
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gateway: FakeGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    reply,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return gateway;
}

import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a gateway does with a message. All but the first are trouble; `swallows` takes it all the same, and does not say so. */
export type Mode =
  | 'takes'
  | 'refuses'
  /** Under a status of success. */
  | 'lies'
  /** For this number's sake. */
  | 'knows nobody'
  | 'is busy'
  /** With Retry-After: 7. */
  | 'asks to wait'
  | 'fails'
  /** With 408: it may have taken the message all the same. */
  | 'gives up'
  | 'hangs'
  | 'swallows'
  | 'drips'
  | 'redirects'
  | 'garbles'
  /** Another site's page, as a captive portal sends one. */
  | 'shows a page'
  | 'says too much'
  | 'resets';

export interface Asked {
  /** E.164. */
  to: string;
  text: string;
  reference: string | undefined;
  /** On the clock of `performance.now()`, in milliseconds. */
  at: number;
}

export interface FakeGatewayRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: http.IncomingHttpHeaders;
  body: string;
}

export interface Reply {
  status: number;
  json: unknown;
  headers?: Record<string, string>;
}

/** How a gateway speaks, as its documentation has it. */
export interface Protocol {
  /** The message that a request carries; or its answer where it carries none, or not as documented. */
  receive(request: FakeGatewayRequest, taken: readonly Asked[]): Omit<Asked, 'at'> | Reply;
  takes(message: Asked, place: number): Reply;
  refuses: Reply;
  lies: Reply;
  knowsNobody: Reply;
}

export interface FakeGateway {
  url: string;
  /** Every message that a well-formed request carried, in order, whatever became of it. */
  asked: Asked[];
  /** Those that it took. */
  taken: Asked[];
  /** Requests that its documentation does not know, in words. */
  strange: string[];
  /** What it does with messages of numbers that nothing else was said of. */
  mode: Mode;
  /** Beyond so many messages within a second it is busy. */
  perSecond: number;
  /** What it does with those of one number. */
  behave(to: string, mode: Mode): void;
  askedFor(to: string): Asked[];
  /** How many requests it has in hand: they have come whole, and have no answer. */
  held(): number;
  close(): Promise<void>;
}

/** How long a gateway that hangs does, in milliseconds; nobody should wait for it. */
const hangsMs = 30_000;

/** Starts a gateway on this machine that speaks its protocol, and looks at every request as strictly as the real one. */
export async function startFakeGateway(protocol: Protocol): Promise<FakeGateway> {
  const modes = new Map<string, Mode>();
  let held = 0;
  const server = http.createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://stand-in');
    const read: FakeGatewayRequest = {
      method: request.method ?? '',
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: await readBody(request),
    };
    const received = protocol.receive(read, standIn.taken);
    if ('status' in received) {
      if (received.status >= 400) standIn.strange.push(`${read.method} ${read.path}: ${JSON.stringify(received.json)}`);
      return send(response, received);
    }
    const message = { ...received, at: performance.now() };
    standIn.asked.push(message);
    const isBusy = standIn.taken.filter(({ at }) => at > message.at - 1_000).length >= standIn.perSecond;
    const mode = isBusy ? 'is busy' : (modes.get(message.to) ?? standIn.mode);
    if (mode === 'takes' || mode === 'swallows') standIn.taken.push(message);
    held += 1;
    response.once('close', () => {
      held -= 1;
    });
    act(mode, response, protocol, () => protocol.takes(message, standIn.taken.length));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const standIn: FakeGateway = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    taken: [],
    strange: [],
    mode: 'takes',
    perSecond: Number.POSITIVE_INFINITY,
    behave: (to, mode) => void modes.set(to, mode),
    askedFor: (to) => standIn.asked.filter((each) => each.to === to),
    held: () => held,
    async close() {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
  return standIn;
}

/** What it answers at once where that is JSON. */
function replyIn(mode: Mode, protocol: Protocol, taken: () => Reply): Reply | undefined {
  switch (mode) {
    case 'takes':
      return taken();
    case 'refuses':
      return protocol.refuses;
    case 'lies':
      return protocol.lies;
    case 'knows nobody':
      return protocol.knowsNobody;
    case 'is busy':
      return { status: 429, json: { message: 'Too many requests' } };
    case 'asks to wait':
      return { status: 429, json: { message: 'Too many requests' }, headers: { 'retry-after': '7' } };
    case 'gives up':
      return { status: 408, json: { message: 'Request timeout' } };
    case 'fails':
      return { status: 503, json: { message: 'Service unavailable' } };
    case 'says too much':
      return { status: 200, json: 'a'.repeat(1_000_000) };
    default:
      return undefined;
  }
}

function act(mode: Mode, response: http.ServerResponse, protocol: Protocol, taken: () => Reply): void {
  const reply = replyIn(mode, protocol, taken);
  if (reply) send(response, reply);
  switch (mode) {
    case 'hangs':
    case 'swallows': {
      const timer = setTimeout(() => send(response, taken()), hangsMs);
      response.once('close', () => clearTimeout(timer));
      return;
    }
    case 'drips': {
      const { status, json } = taken();
      const text = JSON.stringify(json);
      response.writeHead(status, { 'content-type': 'application/json' });
      let sent = 0;
      const timer = setInterval(() => {
        response.write(text[sent % text.length]);
        sent += 1;
      }, 20);
      response.once('close', () => clearInterval(timer));
      return;
    }
    case 'redirects':
      response.writeHead(307, { location: '/elsewhere' }).end();
      return;
    case 'garbles':
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"messages":[{"status":');
      return;
    case 'shows a page':
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Connexion</title>');
      return;
    case 'resets':
      response.socket?.resetAndDestroy();
  }
}

function send(response: http.ServerResponse, { status, json, headers }: Reply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(json));
}

async function readBody(request: http.IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

import { once } from 'node:events';
import http, { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { readLiveness } from '#contract/health.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { httpLimits } from '#server/process/limits.ts';
import { answerHeaders, inlineHashes } from './security-headers.ts';

/** The product's port, from before there is an application. */
export interface StartupServer {
  /** Listens already. */
  server: Server;
  /** Has the application answer, from the moment that Fastify begins to listen. */
  leadTo(handle: RequestListener): void;
  close(): Promise<void>;
}

const style =
  'html{background:#fbf8f3;color:#1e293b;font:1.125rem/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}' +
  'body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;' +
  'padding:1rem;box-sizing:border-box;text-align:center}' +
  'b{color:#0b6b3a;font-size:2.25rem;letter-spacing:-.025em}p{margin:.5rem 0;max-width:28rem}';

const page = `<!doctype html>
<html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${httpLimits.retryAfterSeconds}"><title>Guichet</title><style>${style}</style></head>
<body><b>Guichet</b><p role="status">${failureSentences.starting}</p></body></html>
`;

/**
 * Takes the port first, and answers 503 until the application takes over, without a lost connection: JSON to API calls,
 * else a page that looks again. Throws CannotStart when the port cannot be had.
 */
export async function openStartupServer({
  port,
  host,
  https,
}: {
  port: number;
  host: string;
  https: boolean;
}): Promise<StartupServer> {
  const server = http.createServer({ headersTimeout: httpLimits.headersMs, keepAliveTimeout: httpLimits.keepAliveMs });
  const answer = answerAtStart({ https });
  server.on('request', answer);
  server.listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new CannotStart(`Le port ${port} est déjà pris : arrêtez l'autre programme ou choisissez PORT.`);
    throw new CannotStart(`Impossible d'écouter sur ${host}:${port} (${error.message}).`);
  });
  return {
    server,
    leadTo(handle) {
      // Fastify listens when all of it is ready; since this server does already, then only who answers changes.
      const listen = () => {
        server.off('request', answer).on('request', handle);
        process.nextTick(() => server.emit('listening'));
        return server;
      };
      Object.assign(server, { listen });
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerAtStart({ https }: { https: boolean }) {
  const { status, message, code } = new Failure('BUSY', { message: failureSentences.starting });
  const headers = { ...answerHeaders({ https }), 'retry-after': String(httpLimits.retryAfterSeconds) };
  const [styleHash] = inlineHashes(page).styles;
  const pageHeaders = {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${styleHash}; frame-ancestors 'none'`,
  };
  const json = 'application/json; charset=utf-8';
  return ({ method, url = '' }: IncomingMessage, response: ServerResponse): void => {
    const [path] = url.split('?');
    const hasBody = method !== 'HEAD';
    if (path === readLiveness.path) {
      response.writeHead(200, { ...answerHeaders({ https }), 'content-type': json });
      response.end(hasBody ? JSON.stringify({ status: 'ok' }) : undefined);
    } else if (/^\/api(?:\/|$)/i.test(path ?? '') || (method !== 'GET' && method !== 'HEAD')) {
      response.writeHead(status, { ...headers, 'content-type': json });
      response.end(hasBody ? JSON.stringify({ message, code }) : undefined);
    } else response.writeHead(status, pageHeaders).end(hasBody ? page : undefined);
  };
}

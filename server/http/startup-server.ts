import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { Failure } from '#contract/failure.ts';
import { failureSentences } from '#contract/failure-sentences.ts';
import { readLiveness } from '#contract/health.ts';
import { CannotStart } from '#server/process/cannot-start.ts';
import { httpLimits } from '#server/process/limits.ts';
import { createServer } from './connections.ts';
import { connectionsAllowed } from './open-files.ts';
import { answerHeaders, inlineHashes } from './security-headers.ts';

/** The product's port, from before there is an application. */
export interface StartupServer {
  /** Listens already. */
  server: Server;
  /** Has the application answer, from the moment that Fastify begins to listen. */
  handOver(handle: RequestListener): void;
  close(): Promise<void>;
}

const page = `<!doctype html>
<html lang="fr"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${httpLimits.retryAfterSeconds}"><title>Guichet</title>
<style>body{background:#fbf8f3;color:#1e293b;font:1.125rem/1.6 system-ui,sans-serif;text-align:center;padding:30vh 1rem 0}
b{color:#0b6b3a;font-size:2.25rem}</style></head>
<body><b>Guichet</b><p role="status">${failureSentences.starting}</p></body></html>
`;

/**
 * Takes the port first, and answers 503 until the application takes over, without a lost connection: JSON to API calls,
 * else a page that looks again. Throws CannotStart when the port, or enough open files, cannot be had.
 */
export async function openStartupServer(
  { port, host, https }: { port: number; host: string; https: boolean },
  trusted?: readonly string[],
): Promise<StartupServer> {
  const server = createServer({ connections: connectionsAllowed(), trusted });
  const answer = answerAtStart(answerHeaders({ https }));
  server.on('request', answer).listen(port, host);
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE')
      throw new CannotStart(`Le port ${port} est déjà pris : arrêtez l'autre programme ou choisissez PORT.`);
    throw new CannotStart(`Impossible d'écouter sur ${host}:${port} (${error.message}).`);
  });
  return {
    server,
    handOver(handle) {
      // Fastify listens when all of it is ready; since this server does already, then only who answers changes.
      server.listen = () => {
        server.off('request', answer).on('request', handle);
        process.nextTick(() => server.emit('listening'));
        return server;
      };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answerAtStart(usual: Record<string, string>) {
  const { status, message, code } = new Failure('BUSY', { message: failureSentences.starting });
  const json = { ...usual, 'content-type': 'application/json; charset=utf-8' };
  const later = { 'retry-after': String(httpLimits.retryAfterSeconds) };
  const ofPage = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src ${inlineHashes(page).styles[0]}; frame-ancestors 'none'`,
  };
  return ({ method = '', url = '' }: IncomingMessage, response: ServerResponse): void => {
    const path = url.split('?')[0] ?? '';
    if (path === readLiveness.path) response.writeHead(200, json).end(JSON.stringify({ status: 'ok' }));
    else if (/^\/api(?:\/|$)/i.test(path) || !/^(?:GET|HEAD)$/.test(method))
      response.writeHead(status, { ...json, ...later }).end(JSON.stringify({ message, code }));
    else response.writeHead(status, { ...usual, ...later, ...ofPage }).end(page);
  };
}

import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Stage } from '../stage.ts';

/** What goes over the line between browsers and the proxy: all bytes of its connections, TLS and HTTP/2 included. */
export interface Traffic {
  /** From browsers. */
  received: number;
  /** To browsers. */
  sent: number;
  requests: number;
  byStatus: Record<string, number>;
}

export interface CountingProxy {
  url: string;
  /** So far. */
  traffic(): Traffic;
  /** The headers that a path was last asked for with, by HTTP/1.1's names. */
  headersOf(pattern: RegExp): { path: string; headers: http.OutgoingHttpHeaders } | undefined;
  /** Whom it passes requests on to. */
  passTo(port: number): void;
}

/** HTTP/2 with TLS in front of the product, as a reverse proxy does it, and nothing added but where a request came from. */
export async function startCountingProxy({ ends }: Stage): Promise<CountingProxy> {
  const traffic: Traffic = { received: 0, sent: 0, requests: 0, byStatus: {} };
  const asked = new Map<string, http.OutgoingHttpHeaders>();
  const agent = new http.Agent({ keepAlive: true });
  let target = 0;
  const secure = http2.createSecureServer(makeCertificate(), (request, response) => {
    const headers: http.OutgoingHttpHeaders = { host: request.authority };
    for (const [name, value] of Object.entries(request.headers)) if (!name.startsWith(':')) headers[name] = value;
    traffic.requests += 1;
    asked.set(request.url, { ...headers });
    const forwarded = { ...headers, 'x-forwarded-for': request.socket.remoteAddress, 'x-forwarded-proto': 'https' };
    const onward = http.request(
      { port: target, host: '127.0.0.1', agent, method: request.method, path: request.url, headers: forwarded },
      (answer) => {
        const status = answer.statusCode ?? 0;
        traffic.byStatus[status] = (traffic.byStatus[status] ?? 0) + 1;
        const { connection, 'keep-alive': _, 'transfer-encoding': __, ...told } = answer.headers;
        response.writeHead(status, told);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  secure.listen(0, '127.0.0.1');
  await once(secure, 'listening');
  const inner = (secure.address() as net.AddressInfo).port;
  const open = new Set<net.Socket>();
  // In front of TLS, where every byte is seen as it goes over the line.
  const line = net.createServer((socket) => {
    const onward = net.connect({ port: inner, host: '127.0.0.1', noDelay: true });
    for (const each of [socket, onward]) {
      open.add(each);
      each.on('error', () => {});
      each.on('close', () => {
        open.delete(each);
        (each === socket ? onward : socket).destroy();
      });
    }
    socket.on('data', (chunk: Buffer) => {
      traffic.received += chunk.length;
    });
    onward.on('data', (chunk: Buffer) => {
      traffic.sent += chunk.length;
    });
    socket.pipe(onward).pipe(socket);
  });
  line.listen(0, '127.0.0.1');
  await once(line, 'listening');
  ends.add(() => {
    agent.destroy();
    line.close();
    secure.close();
    for (const socket of open) socket.destroy();
  });
  return {
    url: `https://localhost:${(line.address() as net.AddressInfo).port}`,
    traffic: () => ({ ...traffic, byStatus: { ...traffic.byStatus } }),
    headersOf(pattern) {
      const found = [...asked].findLast(([each]) => pattern.test(each));
      return found && { path: found[0], headers: found[1] };
    },
    passTo(port) {
      target = port;
    },
  };
}

/** Signed by itself, for localhost and a day: whoever connects has to be told to take it. */
function makeCertificate(): { key: Buffer; cert: Buffer } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'guichet-certificate-'));
  const [key, cert] = [path.join(folder, 'key.pem'), path.join(folder, 'cert.pem')];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  try {
    const command = ['req', '-x509', ...kind, '-keyout', key, '-out', cert, '-days', '1', ...name];
    execFileSync('openssl', command, { stdio: ['ignore', 'ignore', 'pipe'] });
    return { key: readFileSync(key), cert: readFileSync(cert) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

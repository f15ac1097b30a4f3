import { once } from 'node:events';
import type http from 'node:http';
import type net from 'node:net';

const open: http.Server[] = [];

/** Starts a server on a free port of this machine; `closeServers` closes it. */
export async function listen(server: http.Server): Promise<http.Server> {
  open.push(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

export const portOf = (server: net.Server) => (server.address() as net.AddressInfo).port;

/** Closes every server that `listen` started. */
export function closeServers(): void {
  for (const each of open.splice(0)) each.close();
}

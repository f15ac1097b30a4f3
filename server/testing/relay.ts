import { once } from 'node:events';
import net from 'node:net';

export interface Relay {
  port: number;
  /** Passes nothing on any more, in either direction, and tells nobody: as a network that is cut. */
  cut(): void;
  /** Breaks a connection at the first answer after what is asked with these letters in it: it was done, and nobody hears of it. */
  breakAfter(letters: string): void;
  /** Those of before stay cut; new connections are passed on. */
  mend(): void;
  close(): void;
}

/** A port of its own that leads to the socket of a PostgreSQL. */
export async function startRelay({ host, port }: { host: string; port: number }): Promise<Relay> {
  let isCut = false;
  let lastLetters: string | undefined;
  const sockets = new Set<net.Socket>();
  const server = net.createServer((near) => {
    const far = net.connect(`${host}/.s.PGSQL.${port}`);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy()).on('close', () => to.destroy());
      if (isCut) from.pause();
      else from.on('data', (data) => to.write(data));
    }
    near.on('data', (data) => {
      if (lastLetters !== undefined && data.includes(lastLetters))
        far.removeAllListeners('data').once('data', () => near.destroy());
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as net.AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.removeAllListeners('data').pause();
    },
    breakAfter(letters) {
      lastLetters = letters;
    },
    mend() {
      isCut = false;
      lastLetters = undefined;
    },
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

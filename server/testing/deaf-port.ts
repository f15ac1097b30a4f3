import { once } from 'node:events';
import net from 'node:net';
import { Worker } from 'node:worker_threads';

/** As many as a listener with a backlog of 1 holds, which is two, and some that wait. */
const callers = 6;

/** Listens on a thread of its own, and then does nothing any more: the system alone takes connections, two of them. */
const listener = `
  const { parentPort } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0));
  });`;

/**
 * A port of this machine at which a connection is neither made nor refused, as where a network drops packets: its listener takes
 * nobody, and whom the system takes for it is there already.
 */
export async function startDeafPort(): Promise<{ port: number; close(): Promise<void> }> {
  const worker = new Worker(listener, { eval: true });
  const [port] = (await once(worker, 'message')) as [number];
  const sockets = Array.from({ length: callers }, () => net.connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.slice(0, 2).map((socket) => once(socket, 'connect')));
  return {
    port,
    async close() {
      for (const socket of sockets) socket.destroy();
      await worker.terminate();
    },
  };
}

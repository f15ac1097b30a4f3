import type { Socket } from 'node:net';
import type pg from 'pg';

type Send = (...given: unknown[]) => unknown;

/** Hears what a pool sends: for each write on a connection's socket, which is what makes a round trip, the statements in it. */
export function hearWrites(pool: pg.Pool): { writes: string[][]; stop(): void } {
  const writes: string[][] = [];
  const restore: (() => void)[] = [];
  const heard = new Set<pg.PoolClient>();
  const onAcquire = (client: pg.PoolClient) => {
    if (heard.has(client)) return;
    heard.add(client);
    const asked: string[] = [];
    const replace = (on: object, name: string, before: (...given: unknown[]) => void) => {
      const found = Reflect.get(on, name) as Send;
      Reflect.set(on, name, (...given: unknown[]) => {
        before(...given);
        return found.apply(on, given);
      });
      restore.push(() => Reflect.deleteProperty(on, name));
    };
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    const sent = () => {
      const statements = asked.splice(0);
      if (statements.length > 0) writes.push(statements);
    };
    replace(client, 'query', (query) => asked.push(textOf(query)));
    replace(stream, '_write', sent);
    replace(stream, '_writev', sent);
  };
  pool.on('acquire', onAcquire);
  return {
    writes,
    stop() {
      pool.off('acquire', onAcquire);
      for (const each of restore) each();
    },
  };
}

const textOf = (query: unknown): string => {
  const text = typeof query === 'string' ? query : String((query as { text: string }).text);
  return text.replace(/\s+/g, ' ').trim();
};

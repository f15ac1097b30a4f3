import { once } from 'node:events';
import net from 'node:net';

const text = 25;

/**
 * Speaks just enough of PostgreSQL's protocol (version 3) to let anybody in and answer each statement with one row of texts;
 * `types` are those of columns that are none (`pg_type.oid`).
 */
export async function startFakePostgres(
  rowOf: (sql: string) => Record<string, string>,
  types: Record<string, number> = {},
): Promise<net.Server> {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(Buffer.concat([message('R', int32(0)), ready]));
      socket.on('data', (data: Buffer) => {
        if (data[0] !== 'Q'.charCodeAt(0)) return;
        const row = rowOf(data.subarray(5, -1).toString());
        const columns = Object.keys(row).map((name) =>
          Buffer.concat([
            Buffer.from(`${name}\0`),
            int32(0),
            int16(0),
            int32(types[name] ?? text),
            int16(-1),
            int32(-1),
            int16(0),
          ]),
        );
        const values = Object.values(row).map((value) => Buffer.concat([int32(value.length), Buffer.from(value)]));
        const count = int16(columns.length);
        const answer = [message('T', count, ...columns), message('D', count, ...values)];
        socket.write(Buffer.concat([...answer, message('C', Buffer.from('SELECT 1\0')), ready]));
      });
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
}

function message(type: string, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value]);
const ready = message('Z', Buffer.from('I'));

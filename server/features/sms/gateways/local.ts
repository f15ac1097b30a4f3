import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { SmsGateway } from '#server/features/sms/sms-route.ts';

export function consoleGateway(print: (line: string) => void): SmsGateway {
  return {
    name: 'console',
    async send({ to, text }) {
      print(`SMS à ${to} : ${text.replaceAll('\n', ' ')}`);
      return { kind: 'sent' };
    },
  };
}

/** Appends a line per message, `{"to","text","at"}`, to a file that only its owner can read. Throws if it cannot. */
export function fileGateway(file: string): SmsGateway {
  return {
    name: 'file',
    async send({ to, text }) {
      await mkdir(path.dirname(file), { recursive: true });
      await appendFile(file, `${JSON.stringify({ to, text, at: new Date().toISOString() })}\n`, { mode: 0o600 });
      return { kind: 'sent' };
    },
  };
}

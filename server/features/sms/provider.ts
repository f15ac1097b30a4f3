import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';

export interface SmsMessage {
  /** E.164. */
  to: string;
  text: string;
}

/** Whatever delivers a message. `send` throws when it was not taken; the job tries again. */
export interface SmsProvider {
  name: string;
  send(message: SmsMessage): Promise<void>;
}

/** For development: prints the message where the server runs. */
export function consoleProvider(print: (line: string) => void): SmsProvider {
  return {
    name: 'console',
    async send({ to, text }) {
      print(`SMS à ${to} : ${text.replaceAll('\n', ' ')}`);
    },
  };
}

/** Appends one JSON line per message: `{"to","text","at"}`, `at` in ISO 8601. Only its owner can read the file. */
export function fileProvider(file: string): SmsProvider {
  return {
    name: 'file',
    async send({ to, text }) {
      await mkdir(path.dirname(file), { recursive: true });
      await appendFile(file, `${JSON.stringify({ to, text, at: new Date().toISOString() })}\n`, { mode: 0o600 });
    },
  };
}

import net from 'node:net';
import { type Answer, AnswerReader } from './answer-reader.ts';

/** A connection that is kept, for one request at a time. It is opened when it is first needed, and again after its end. */
export class Line {
  readonly #port: number;
  readonly #done: (line: Line, answer: Answer | Error) => void;
  #socket: net.Socket | undefined;
  #asked = false;

  /** `done` hears of each request's answer, or why there is none. */
  constructor(port: number, done: (line: Line, answer: Answer | Error) => void) {
    this.#port = port;
    this.#done = done;
  }

  send(request: string): void {
    this.#asked = true;
    this.#socket ??= this.#open();
    this.#socket.write(request, 'latin1');
  }

  /** Whatever was asked is not waited for. */
  close(): void {
    this.#asked = false;
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  #open(): net.Socket {
    const socket = net.connect({ port: this.#port, host: '127.0.0.1', noDelay: true });
    const reader = new AnswerReader();
    const finish = (answer: Answer | Error) => {
      if (!this.#asked || socket !== this.#socket) return;
      this.#asked = false;
      if (answer instanceof Error || answer.closes) {
        this.#socket = undefined;
        socket.destroy();
      }
      this.#done(this, answer);
    };
    const attempt = (read: () => Answer | undefined) => {
      try {
        const answer = read();
        if (answer) finish(answer);
      } catch (error) {
        finish(error as Error);
      }
    };
    socket.on('data', (chunk: Buffer) => attempt(() => reader.push(chunk)));
    socket.on('end', () => attempt(() => reader.end()));
    socket.on('error', finish);
    socket.on('close', () => {
      finish(new Error('the connection ended before the answer'));
      if (this.#socket === socket) this.#socket = undefined;
    });
    return socket;
  }
}

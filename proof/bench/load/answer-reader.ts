/** One answer of an HTTP/1.1 server, as far as a load generator needs to know it. */
export interface Answer {
  status: number;
  etag: string | undefined;
  /** Whether the server takes no further request on this connection. */
  closes: boolean;
  /** On the wire, headers included. */
  bytes: number;
}

const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');

/**
 * Reads the answers that arrive on one connection, one after the other, whatever pieces they come in (RFC 9112). Throws on
 * what is none, and on bytes that nobody asked for: requests are not pipelined.
 */
export class AnswerReader {
  #head: Answer | undefined;
  #held: Buffer | undefined;
  /** Bytes of the body, or of the chunk with its line end, that are still to come. */
  #left = 0;
  #body: 'counted' | 'chunked' | 'until the end' = 'counted';
  #lastChunk = false;

  /** Answers the answer once it is whole. */
  push(chunk: Buffer): Answer | undefined {
    let rest = chunk;
    if (!this.#head) {
      const all = this.#held ? Buffer.concat([this.#held, chunk]) : chunk;
      const end = all.indexOf(headEnd);
      this.#held = end < 0 ? all : undefined;
      if (end < 0) return undefined;
      this.#head = this.#begin(all.toString('latin1', 0, end + 2), end + 4);
      rest = all.subarray(end + 4);
      // An informational answer (1xx) comes before the one that counts.
      if (!this.#head) return rest.length > 0 ? this.push(rest) : undefined;
    }
    const head = this.#head;
    head.bytes += rest.length;
    const over = this.#body === 'chunked' ? this.#readChunks(rest) : this.#readCounted(rest);
    if (over === undefined) return undefined;
    if (over > 0) throw new Error(`${over} bytes after the answer`);
    return this.#finish(head);
  }

  /** The connection ended: answers what was whole by that. Throws when something was under way. */
  end(): Answer | undefined {
    const head = this.#head;
    if (head && this.#body === 'until the end') return this.#finish({ ...head, closes: true });
    if (head || this.#held?.length) throw new Error('the connection ended within an answer');
    return undefined;
  }

  #begin(text: string, bytes: number): Answer | undefined {
    const status = Number(/^HTTP\/1\.[01] (\d{3})[ \r]/.exec(text)?.[1]);
    if (!status) throw new Error(`no answer: ${text.slice(0, 40)}`);
    if (status < 200) return undefined;
    const length = /\r\ncontent-length:[ \t]*(\d+)/i.exec(text)?.[1];
    const chunked = /\r\ntransfer-encoding:[ \t]*chunked/i.test(text);
    const bodiless = status === 204 || status === 304;
    this.#body = chunked && !bodiless ? 'chunked' : bodiless || length !== undefined ? 'counted' : 'until the end';
    this.#left = bodiless || chunked ? 0 : Number(length ?? 0);
    this.#lastChunk = false;
    return {
      status,
      etag: /\r\netag:[ \t]*(.*?)[ \t]*\r\n/i.exec(text)?.[1],
      closes: /\r\nconnection:[ \t]*close/i.test(text) || this.#body === 'until the end',
      bytes,
    };
  }

  /** How many bytes are too many; `undefined` while some are missing. */
  #readCounted(piece: Buffer): number | undefined {
    if (this.#body === 'until the end') return undefined;
    this.#left -= piece.length;
    return this.#left > 0 ? undefined : -this.#left;
  }

  #readChunks(piece: Buffer): number | undefined {
    let rest = this.#held ? Buffer.concat([this.#held, piece]) : piece;
    this.#held = undefined;
    for (;;) {
      if (this.#left > 0) {
        const taken = Math.min(this.#left, rest.length);
        this.#left -= taken;
        rest = rest.subarray(taken);
        if (this.#left > 0) return undefined;
      }
      const end = rest.indexOf(lineEnd);
      if (end < 0) {
        this.#held = rest;
        return undefined;
      }
      const line = rest.toString('latin1', 0, end);
      rest = rest.subarray(end + 2);
      if (this.#lastChunk) {
        // Trailers, and the empty line that ends them.
        if (line === '') return rest.length;
        continue;
      }
      if (!/^[0-9a-f]+(?:;.*)?$/i.test(line)) throw new Error(`no size of a chunk: ${line.slice(0, 40)}`);
      const size = Number.parseInt(line, 16);
      this.#lastChunk = size === 0;
      // With the line end behind it.
      this.#left = size === 0 ? 0 : size + 2;
    }
  }

  #finish(head: Answer): Answer {
    this.#head = undefined;
    this.#held = undefined;
    return head;
  }
}

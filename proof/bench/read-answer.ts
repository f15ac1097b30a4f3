export interface Answer {
  status: number;
  etag: string | undefined;
  /** On the wire, headers included. */
  bytes: number;
}

/**
 * Reads an HTTP/1.1 answer from all bytes of it so far; `undefined` while some are missing. Throws on what is none, and on bytes
 * that follow: requests are not pipelined.
 */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end + 2);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (!status) throw new Error(`no answer: ${head.slice(0, 40)}`);
  const body = bytes.subarray(end + 4);
  // The length of a 304 is that of the body it does not send.
  const length = status === 204 || status === 304 ? 0 : /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined ? body.length < Number(length) : !/(?:^|\r\n)0\r\n\r\n$/.test(lastBytes(body)))
    return undefined;
  if (length !== undefined && body.length > Number(length)) throw new Error('bytes after the answer');
  const etag = /\r\netag: *(.*?) *\r\n/i.exec(head)?.[1];
  return { status, etag, bytes: bytes.length };
}

/** Without a length a body comes in chunks, the last of which is empty. */
const lastBytes = (body: Buffer) => body.toString('latin1', Math.max(0, body.length - 7));

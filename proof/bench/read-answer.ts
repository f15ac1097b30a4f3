export interface Answer {
  status: number;
  etag: string | undefined;
  /** On the wire, headers included. */
  bytes: number;
}

/**
 * Reads an HTTP/1.1 answer from all bytes of it so far; `undefined` while some are missing. Throws on what is none, on one that does
 * not tell its length, and on bytes that follow: requests are not pipelined.
 */
export function readAnswer(bytes: Buffer): Answer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end + 2);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (!status) throw new Error(`no answer: ${head.slice(0, 40)}`);
  // The length of a 304 is that of the body it does not send.
  const length = status === 304 ? 0 : /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error(`no length: ${head.slice(0, 40)}`);
  const missing = Number(length) - (bytes.length - end - 4);
  if (missing > 0) return undefined;
  if (missing < 0) throw new Error('bytes after the answer');
  const etag = /\r\netag: *(.*?) *\r\n/i.exec(head)?.[1];
  return { status, etag, bytes: bytes.length };
}

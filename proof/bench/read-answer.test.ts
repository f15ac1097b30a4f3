import { expect, test } from 'vitest';
import { readAnswer } from './read-answer.ts';

test.each([
  ['HTTP/1.1 304 Not Modified\r\nETag: W/"a b"\r\nContent-Length: 2000\r\n\r\n', 304, 'W/"a b"'],
  ['HTTP/1.1 200 OK\r\ncontent-length: 5\r\netag:"x"\r\n\r\n\r\n\r\n!', 200, '"x"'],
])('%j is whole with its last byte and not before', (text, status, etag) => {
  const bytes = Buffer.from(text);
  expect(readAnswer(bytes)).toEqual({ status, etag, bytes: bytes.length });
  for (let length = 0; length < bytes.length; length += 1)
    expect(readAnswer(bytes.subarray(0, length))).toBeUndefined();
});

test.each([
  ['SSH-2.0-OpenSSH\r\n\r\n', 'no answer: SSH'],
  ['HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', 'no length'],
  ['HTTP/1.1 304 Not Modified\r\n\r\nHTTP', 'bytes after'],
  ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nxyz', 'bytes after'],
])('%j is an error', (text, message) => expect(() => readAnswer(Buffer.from(text))).toThrow(message));

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, AnswerReader } from './answer-reader.ts';

/** What a reader answers to this text, cut at these places. */
function read(text: string, cuts: readonly number[] = []): Answer[] {
  const reader = new AnswerReader();
  const bytes = Buffer.from(text, 'latin1');
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return places
    .slice(1)
    .map((to, at) => reader.push(bytes.subarray(places[at], to)))
    .filter((answer) => answer !== undefined);
}

const samples: Record<string, [text: string, answer: Omit<Answer, 'bytes'>]> = {
  'a 304, whose length is that of what it does not send': [
    'HTTP/1.1 304 Not Modified\r\nETag: W/"a b"\r\nContent-Length: 2000\r\n\r\n',
    { status: 304, etag: 'W/"a b"', closes: false },
  ],
  'a body by its length': [
    'HTTP/1.1 200 OK\r\ncontent-length: 5\r\netag:"x"\r\n\r\n\r\n\r\n!',
    { status: 200, etag: '"x"', closes: false },
  ],
  'no body at all': [
    'HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n',
    { status: 201, etag: undefined, closes: false },
  ],
  'the last one of a connection': [
    'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n',
    { status: 204, etag: undefined, closes: true },
  ],
  'a body in chunks, with an extension and a trailer': [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;a=b\r\n0\r\n\r\nA\r\n0123456789\r\n0\r\nx: y\r\n\r\n',
    { status: 200, etag: undefined, closes: false },
  ],
  'one after an informational answer': [
    'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx',
    { status: 200, etag: undefined, closes: false },
  ],
};

describe.each(Object.entries(samples))('%s', (_name, [text, answer]) => {
  test('is read whatever pieces it comes in', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 8 }), (cuts) => {
        expect(read(text, cuts)).toMatchObject([answer]);
      }),
    );
  });

  test('is followed by the next', () => {
    const reader = new AnswerReader();
    for (const _ of [1, 2, 3]) expect(reader.push(Buffer.from(text, 'latin1'))).toMatchObject(answer);
    expect(reader.end()).toBeUndefined();
  });

  test('counts its bytes, and is not whole without the last one', () => {
    const reader = new AnswerReader();
    expect(reader.push(Buffer.from(text.slice(0, -1), 'latin1'))).toBeUndefined();
    expect(() => reader.end()).toThrow('within an answer');
    const [{ bytes } = { bytes: 0 }] = read(text);
    expect(bytes).toBe(text.slice(text.lastIndexOf('HTTP/')).length);
  });
});

test('a body without a length lasts as long as its connection', () => {
  const reader = new AnswerReader();
  expect(reader.push(Buffer.from('HTTP/1.1 200 OK\r\n\r\nsome'))).toBeUndefined();
  expect(reader.push(Buffer.from('more'))).toBeUndefined();
  expect(reader.end()).toMatchObject({ status: 200, closes: true, bytes: 27 });
});

test.each([
  ['what was not asked for', 'HTTP/1.1 304 Not Modified\r\n\r\nHTTP/1.1 200 OK', '15 bytes after the answer'],
  ['a body that is too long', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nxyz', '2 bytes after the answer'],
  ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n', 'no answer: SSH'],
  ['a chunk without a size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n', 'no size of a chunk: xyz'],
])('%s is an error', (_name, text, message) => expect(() => read(text)).toThrow(message));

import { QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { listPaymentTypes, type PaymentType } from '#contract/payment-types.ts';
import { readOwnTicket } from '#contract/tickets.ts';
import { ApiError } from './client.ts';
import { etagOf, readAgain, withEtag } from './conditional-reads.ts';
import type { ApiCall } from './use-call.ts';
import { endpointQuery } from './use-endpoint.ts';

/** A fake server that answers the given value with an ETag of its text, and records the ETags of requests. */
function serve(said: unknown) {
  const server = { said, asked: [] as (string | undefined)[], saysEtags: true };
  const call = (async (
    _endpoint: unknown,
    input: { known?: { etag: string; answer: unknown }; onHeaders?: (headers: Headers) => void },
  ) => {
    const text = JSON.stringify(server.said);
    const etag = `W/"${encodeURIComponent(text)}"`;
    server.asked.push(input.known?.etag);
    if (input.known?.etag === etag) return input.known.answer;
    input.onHeaders?.(new Headers(server.saysEtags ? { etag } : {}));
    return JSON.parse(text) as unknown;
  }) as ApiCall;
  return { server, call };
}

/** A browser that reads the payment types for a person. */
function browse(said: unknown) {
  const { server, call } = serve(said);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, structuralSharing: false } } });
  const queryOf = (userId: number) =>
    endpointQuery({ call, userId, currentUserId: () => userId }, listPaymentTypes, {}, { freshForMs: 0 });
  const read = (userId = 7) => client.fetchQuery({ ...queryOf(userId), staleTime: 0 }) as Promise<PaymentType[]>;
  return { server, client, read, keyOf: (userId: number) => queryOf(userId).queryKey };
}

const two = [
  { id: 1, name: 'Wave' },
  { id: 2, name: 'Orange' },
];

test('what is asked for again is asked by its ETag, and what is the same is the very same object', async () => {
  const { server, read } = browse(two);
  const first = await read();
  expect(await read()).toBe(first);
  expect(await read()).toBe(first);
  expect(server.asked).toEqual([undefined, etagOf(first), etagOf(first)]);
});

test('of what changed only that is another object, and its ETag is the new one', async () => {
  const { server, read } = browse(two);
  const first = await read();
  server.said = [
    { id: 1, name: 'Wave' },
    { id: 2, name: 'Moov' },
  ];
  const second = await read();
  expect(second[0]).toBe(first[0]);
  expect(second[1]).toEqual({ id: 2, name: 'Moov' });
  expect(etagOf(second)).not.toBe(etagOf(first));
  expect(await read()).toBe(second);
  expect(server.asked.at(-1)).toBe(etagOf(second));
});

test('the same in another body is the same object as well, where nobody says ETags', async () => {
  const { server, read } = browse(two);
  server.saysEtags = false;
  const first = await read();
  server.said = structuredClone(two);
  expect(await read()).toBe(first);
  expect(server.asked).toEqual([undefined, undefined]);
});

test('nobody is asked for by the ETag of somebody else, nor of what was forgotten, or changed here since', async () => {
  const { server, client, read, keyOf } = browse(two);
  const first = await read(7);
  await read(8);
  expect(server.asked.at(-1)).toBeUndefined();

  client.setQueryData(keyOf(7), (known: PaymentType[]) => known.map((each) => ({ ...each })));
  const again = await read(7);
  expect(server.asked.at(-1)).toBeUndefined();
  expect(again).toEqual(first);

  client.removeQueries({ queryKey: keyOf(7) });
  await read(7);
  expect(server.asked.at(-1)).toBeUndefined();
});

test('an ETag is seen by nothing that copies, compares or stores', () => {
  const tagged = withEtag({ rows: [1] }, 'W/"a"');
  expect(etagOf(tagged)).toBe('W/"a"');
  expect(etagOf({ ...tagged })).toBeUndefined();
  expect(etagOf(structuredClone(tagged))).toBeUndefined();
  expect(JSON.stringify(tagged)).toBe('{"rows":[1]}');
  expect(Reflect.ownKeys(Object.assign({}, tagged))).toEqual(['rows']);
  expect(etagOf(withEtag([1], null))).toBeUndefined();
});

test('a 304 that nobody asked for is asked once more, and any other refusal is one', async () => {
  const input = { params: { id: '4' } };
  const answers: (number | object)[] = [304, { id: 4 }, 304, 304, 404];
  const call = (async () => {
    const next = answers.shift();
    if (typeof next === 'number') throw new ApiError(next, '', '');
    return next;
  }) as ApiCall;
  expect(await readAgain(call, readOwnTicket, input, undefined)).toMatchObject({ answer: { id: 4 } });
  await expect(readAgain(call, readOwnTicket, input, undefined)).rejects.toMatchObject({ status: 304 });
  await expect(readAgain(call, readOwnTicket, input, undefined)).rejects.toMatchObject({ status: 404 });
  expect(answers).toEqual([]);
});

import { type FetchQueryOptions, QueryClient } from '@tanstack/react-query';
import { expect, test } from 'vitest';
import { listPaymentTypes, type PaymentType } from '#contract/payment-types.ts';
import type { Known } from './kept-answers.ts';
import type { ApiCall } from './use-call.ts';
import { endpointQuery } from './use-endpoint.ts';

/** A fake server that answers the given value with an ETag of its text, and records the ETags of requests. */
function serve(said: unknown) {
  const server = { said, asked: [] as (string | undefined)[], saysEtags: true, etag: '' };
  const call = (async (
    _endpoint: unknown,
    input: { known?: { etag: string; answer: unknown }; onHeaders?: (headers: Headers) => void },
  ) => {
    const text = JSON.stringify(server.said);
    const etag = `W/"${encodeURIComponent(text)}"`;
    server.asked.push(input.known?.etag);
    server.etag = etag;
    if (input.known?.etag === etag) return input.known.answer;
    input.onHeaders?.(new Headers(server.saysEtags ? { etag } : {}));
    return JSON.parse(text) as unknown;
  }) as ApiCall;
  return { server, call };
}

/** A browser that reads the payment types for a person. */
function browse(said: unknown) {
  const { server, call } = serve(said);
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const queryOf = (userId: number) =>
    endpointQuery({ call, userId, currentUserId: () => userId }, listPaymentTypes, {}, { freshForMs: 0 });
  const read = async (userId = 7) => {
    const { queryKey, queryFn } = queryOf(userId);
    await client.fetchQuery({ queryKey, queryFn, staleTime: 0 } as FetchQueryOptions);
    return client.getQueryData<Known<PaymentType[]>>(queryKey)?.data ?? [];
  };
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
  expect(server.asked).toEqual([undefined, server.etag, server.etag]);
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
  expect(await read()).toBe(second);
  expect(server.asked.at(-1)).toBe(server.etag);
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

  client.setQueryData(keyOf(7), { data: structuredClone(first) });
  const again = await read(7);
  expect(server.asked.at(-1)).toBeUndefined();
  expect(again).toEqual(first);

  client.removeQueries({ queryKey: keyOf(7) });
  await read(7);
  expect(server.asked.at(-1)).toBeUndefined();
});

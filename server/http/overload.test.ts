import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApi, type TestApi } from '#server/testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.close());

test('cookies are parsed before an overloaded server refuses: the hooks on its answer look at them', () => {
  const plugins = api.app.printPlugins();
  const placeOf = (name: string) => {
    expect(plugins).toContain(name);
    return plugins.indexOf(name);
  };
  for (const refusing of ['@fastify/under-pressure', '@fastify/multipart', '@fastify/helmet'])
    expect(placeOf('@fastify/cookie'), refusing).toBeLessThan(placeOf(refusing));
});

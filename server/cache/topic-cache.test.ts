import { expect, test } from 'vitest';
import type { ChangeListener } from './change-feed.ts';
import { TopicCache } from './topic-cache.ts';

/** A cache whose feed says what a test has it say. */
function cacheOf(bytesAtMost = 100) {
  let say: ChangeListener = () => {};
  const listen = (listener: ChangeListener) => {
    say = listener;
  };
  const feed = { listen, live: true, isLive: () => feed.live };
  const cache = new TopicCache<{ text: string; topics: string[]; bytes: number }>(feed, bytesAtMost);
  const read = (key: string, text: string, topics = ['a'], until?: Promise<void>) =>
    cache.read(key, () => Promise.resolve(until).then(() => ({ text, topics, bytes: 1 })), topics);
  return { cache, read, say: (...topics: string[]) => say(topics), lose: () => say('everything'), feed };
}

test.each([
  ['user:*:tickets', 'user:7:tickets', false],
  ['user:*:tickets', 'user:7:8:tickets', true],
  ['user:*', 'user:7', false],
  ['user:*', 'user:7:tickets', true],
  ['user:*', 'users', true],
  ['user:7', 'user:7', false],
  ['user:8', 'user:7', true],
])('a change of %s leaves what depends on %s: %s', async (changed, topic, isKept) => {
  const { cache, read, say } = cacheOf();
  await read('key', 'old', ['a', topic]);
  say(changed);
  expect(cache.get('key') !== undefined).toBe(isKept);
});

test.each([
  ['it depends on', 'a', false],
  ['of something else', 'b', true],
])(
  'a change %s while a value is read: who asked before shares it, who asks since does not; kept is what still holds',
  async (_, changed, holds) => {
    const { cache, read, say } = cacheOf();
    const { promise, resolve } = Promise.withResolvers<void>();
    const first = read('key', 'old', ['a'], promise);
    const shared = read('key', 'never read');
    say(changed);
    const since = read('key', 'new', ['a'], promise);
    resolve();
    expect([(await first)?.text, (await shared)?.text]).toEqual(['old', 'old']);
    expect((await since)?.text).toBe(holds ? 'old' : 'new');
    expect(cache.get('key')?.text).toBe(holds ? 'old' : 'new');
  },
);

test('while the feed is down nothing is answered or kept, nor what was read across its end', async () => {
  const { cache, read, lose, feed } = cacheOf();
  await read('key', 'kept');
  feed.live = false;
  expect(cache.get('key')).toBeUndefined();
  feed.live = true;
  expect(cache.get('key')?.text).toBe('kept');
  const { promise, resolve } = Promise.withResolvers<void>();
  const across = read('across', 'old', ['a'], promise);
  feed.live = false;
  lose();
  await read('down', 'old');
  feed.live = true;
  resolve();
  await across;
  expect(['key', 'across', 'down'].map((key) => cache.get(key))).toEqual([undefined, undefined, undefined]);
});

test('where there is no room, what nobody asked for lately goes', async () => {
  const { cache, read } = cacheOf(2);
  await read('one', '1');
  await read('two', '2');
  cache.get('one');
  await read('three', '3');
  expect([cache.get('one')?.text, cache.get('two'), cache.get('three')?.text]).toEqual(['1', undefined, '3']);
  expect(cache.bytes).toBe(2);
});

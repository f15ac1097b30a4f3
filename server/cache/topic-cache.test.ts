import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChangeFeed, ChangeListener } from './change-feed.ts';
import { covers, type Kept, TopicCache } from './topic-cache.ts';

/** A feed that says what a test has it say. */
function feedOfTest() {
  const listeners: ChangeListener[] = [];
  let live = true;
  const feed: Pick<ChangeFeed, 'listen' | 'isLive'> = {
    listen: (listener) => void listeners.push(listener),
    isLive: () => live,
  };
  const say: ChangeListener = (topics) => listeners.forEach((listener) => void listener(topics));
  const setLive = (now: boolean) => {
    live = now;
    if (!now) say('everything');
  };
  return { feed, say, setLive };
}

interface Value extends Kept {
  text: string;
}
const value = (text: string, topics: string[] = ['a'], bytes = 1): Value => ({ text, topics, bytes });

function memory(bytesAtMost = 1_000) {
  const { feed, ...rest } = feedOfTest();
  return { memory: new TopicCache<Value>(feed, bytesAtMost), ...rest };
}

test.each([
  ['user:*:tickets', 'user:7:tickets', true],
  ['user:*:tickets', 'user::tickets', false],
  ['user:*:tickets', 'user:7:8:tickets', false],
  ['user:*', 'user:7', true],
  ['user:*', 'user:7:tickets', false],
  ['session:*', 'session:ab', true],
  ['user:*', 'users', false],
])('%s means %s: %s', (pattern, topic, meant) => {
  expect(covers(pattern, topic)).toBe(meant);
});

test('whatever happens in whatever order, what is answered is never older than a change that was heard', async () => {
  const keys = ['k1', 'k2', 'k3'];
  const topicsOf: Record<string, string[]> = { k1: ['a'], k2: ['a', 'b'], k3: ['c'] };
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.record({ do: fc.constant('read' as const), key: fc.constantFrom(...keys) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('finish' as const), which: fc.nat(5) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('change' as const), topic: fc.constantFrom('a', 'b', 'c') }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('down' as const, 'up' as const) }) },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { memory: kept, say, setLive } = memory(4);
      const version: Record<string, number> = { a: 0, b: 0, c: 0 };
      const now = (key: string) => (topicsOf[key] ?? []).map((topic) => version[topic]).join();
      const open: { resolve: () => void }[] = [];
      const all: Promise<unknown>[] = [];
      for (const each of steps) {
        if (each.do === 'read') {
          const atLeast = now(each.key);
          const found = kept.get(each.key);
          expect(found ? found.text : atLeast).toBe(atLeast);
          const gate = Promise.withResolvers<void>();
          const done = kept
            .read(
              each.key,
              async () => {
                // Read when it is begun, answered later.
                const text = now(each.key);
                await gate.promise;
                return value(text, topicsOf[each.key]);
              },
              topicsOf[each.key],
            )
            .then((got) => expect(compare(got?.text ?? '', atLeast)).toBe(true));
          open.push({ resolve: gate.resolve });
          all.push(done);
        } else if (each.do === 'finish') {
          const [one] = open.splice(each.which % Math.max(1, open.length), 1);
          one?.resolve();
          await setImmediate();
        } else if (each.do === 'change') {
          version[each.topic] = (version[each.topic] ?? 0) + 1;
          say([each.topic]);
        } else setLive(each.do === 'up');
        expect(kept.bytes).toBeLessThanOrEqual(4);
      }
      for (const each of open) each.resolve();
      await Promise.all(all);
      for (const key of keys) {
        const found = kept.get(key);
        if (found) expect(found.text).toBe(now(key));
      }
    }),
  );
});

/** Whether each version of one is as new as the other's. */
const compare = (one: string, other: string) => {
  const others = other.split(',').map(Number);
  return one.split(',').every((each, index) => Number(each) >= (others[index] ?? 0));
};

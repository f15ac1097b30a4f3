import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

const ops = path.resolve(import.meta.dirname, '../../ops');
/** Labels by metric, as the text has them; what Prometheus itself adds to each is left out. */
const labelsOf = new Map<string, Set<string>>();
const added = new Set(['job', 'instance']);

const metrics = createMetrics();
metrics.countRequest({ route: '/api/services', method: 'GET', status: 200, seconds: 0.1 });
metrics.countSms('file', 'sent');
metrics.watch({
  pool: { totalCount: 1, idleCount: 1, waitingCount: 0 },
  feed: { isLive: () => true },
  answers: { bytes: 0, counts: { unchanged: 0, whole: 0, found: 0, made: 0 } },
  readDatabase: async () => ({ alarms: [{ key: 'disk', level: 'critical' }], jobsDue: 0 }),
});
for (const [, name = '', labels = ''] of (await metrics.read()).text.matchAll(/^([a-z]\w+)(?:\{(.*)\})? /gm))
  labelsOf.set(name, new Set([...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label)));

/** The expressions of the file, each metric with the labels that are asked of it. */
function readUses(text: string): [name: string, labels: string[]][] {
  return [...text.matchAll(/\b((?:guichet|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', matchers = '']) => [
      name,
      [...matchers.replaceAll('\\', '').matchAll(/(\w+)(?:=~?|!~|!=)"/g)].map(([, label = '']) => label),
    ],
  );
}

test.each([
  ['grafana/guichet.json', 12],
  ['prometheus/alerts.yml', 8],
])('every metric that %s asks for is there, with the labels it is asked by', (file, atLeast) => {
  const uses = readUses(readFileSync(path.join(ops, file), 'utf8'));
  expect(uses.length).toBeGreaterThanOrEqual(atLeast);
  expect(uses.filter(([name]) => !labelsOf.has(name)).map(([name]) => name)).toEqual([]);
  const unknown = uses.flatMap(([name, labels]) =>
    labels.filter((label) => !added.has(label) && !labelsOf.get(name)?.has(label)).map((label) => `${name} ${label}`),
  );
  expect(unknown).toEqual([]);
});

test('every metric of our own is drawn or told of', () => {
  const drawn = readFileSync(path.join(ops, 'grafana/guichet.json'), 'utf8');
  const own = [...labelsOf.keys()].filter((name) => /^guichet_/.test(name) && !/_sum$/.test(name));
  expect(own.length).toBeGreaterThan(8);
  expect(own.filter((name) => !drawn.includes(name))).toEqual([]);
});

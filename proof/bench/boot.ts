import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startProduct } from '../../e2e/product.ts';
import { startEmbeddedDatabase } from '../../server/database/embedded/embedded-database.ts';
import { administrator } from './administrator.ts';
import { figure, median, medianRatio, type Row, type Rows } from './figures.ts';
import { makeFolder } from './fill.ts';
import type { Stage } from './stage.ts';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Seconds from the start of the server's process to the sentence that it is ready, and to the first answered request: on a
 * new data folder and on one that was used before, beside what a Node that does nothing and the embedded PostgreSQL by itself
 * take in the same round; and how much is installed. `--rounds`.
 */
export async function measure(stage: Stage): Promise<Rows> {
  const { values } = parseArgs({ args: stage.args, options: { rounds: { type: 'string', default: '5' } } });
  const names = [
    'cold',
    'cold: first answer',
    'warm',
    'warm: first answer',
    'new PostgreSQL',
    'PostgreSQL',
    'node',
  ] as const;
  const times = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<
    (typeof names)[number],
    number[]
  >;
  for (let round = 0; round < Number(values.rounds); round += 1) {
    const folder = makeFolder(stage);
    for (const kind of ['cold', 'warm'] as const) {
      const started = await timeStart(stage, folder);
      times[kind].push(started.ready);
      times[`${kind}: first answer`].push(started.answered);
    }
    const alone = makeFolder(stage);
    times['new PostgreSQL'].push(await timeDatabase(stage, alone));
    times.PostgreSQL.push(await timeDatabase(stage, alone));
    times.node.push(await seconds(() => spawnSync(process.execPath, ['-e', '0'])));
  }
  const beside = (kind: 'cold' | 'warm', database: 'new PostgreSQL' | 'PostgreSQL'): Row => ({
    "÷ PostgreSQL's own start": Number(medianRatio(times[kind], times[database]).toFixed(2)),
    '÷ node -e 0': Number(medianRatio(times[kind], times.node).toFixed(1)),
  });
  const megabytes = (bytes: number) => figure(bytes / 1e6);
  return {
    'cold start (s)': figure(median(times.cold), undefined, beside('cold', 'new PostgreSQL')),
    'cold start to the first answer (s)': figure(median(times['cold: first answer'])),
    'warm start (s)': figure(median(times.warm), undefined, beside('warm', 'PostgreSQL')),
    'warm start to the first answer (s)': figure(median(times['warm: first answer'])),
    'a new embedded PostgreSQL (s)': figure(median(times['new PostgreSQL'])),
    'the embedded PostgreSQL (s)': figure(median(times.PostgreSQL)),
    'node -e 0 (s)': figure(median(times.node)),
    'installed, all (MB)': megabytes(sizeOf(path.join(root, 'node_modules'))),
    'installed, what serves (MB)': megabytes(productionBytes()),
    'the built web app (MB)': megabytes(sizeOf(path.join(root, 'dist/web'))),
    "the repository's own files (MB)": megabytes(ownBytes()),
  };
}

async function timeStart({ ends }: Stage, folder: string): Promise<{ ready: number; answered: number }> {
  const start = performance.now();
  const product = await startProduct(folder, { ...administrator }, { keep: true });
  const ready = (performance.now() - start) / 1_000;
  const stop = ends.add(() => product.stop());
  await (await fetch(`${product.url}/api/services`)).arrayBuffer();
  const answered = (performance.now() - start) / 1_000;
  await stop();
  return { ready, answered };
}

async function timeDatabase({ ends }: Stage, folder: string): Promise<number> {
  const start = performance.now();
  const database = await startEmbeddedDatabase(folder);
  const took = (performance.now() - start) / 1_000;
  await ends.add(() => database.stop())();
  return took;
}

async function seconds(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return (performance.now() - start) / 1_000;
}

/** Bytes of all files below, as long as they are. */
function sizeOf(folder: string): number {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(path.join(entry.parentPath, entry.name)).size, 0);
}

/** What `npm ci --omit=dev` would leave, of the packages that are there. */
function productionBytes(): number {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const own = (place: string) => {
    const nested = path.join(root, place, 'node_modules');
    return sizeOf(path.join(root, place)) - sizeOf(nested);
  };
  return Object.entries(lock.packages)
    .filter(([place, { dev, devOptional }]) => place !== '' && !dev && !devOptional)
    .reduce((sum, [place]) => sum + own(place), 0);
}

function ownBytes(): number {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  return files
    .filter((file) => existsSync(path.join(root, file)))
    .reduce((sum, file) => sum + statSync(path.join(root, file)).size, 0);
}

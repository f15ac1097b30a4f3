import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { backUp } from '../../server/backup/back-up.ts';
import { verifyBackup } from '../../server/backup/read-backup.ts';
import { restore } from '../../server/backup/restore.ts';
import { startEmbeddedDatabase } from '../../server/database/embedded/embedded-database.ts';
import { figure, type Rows, round } from './figures.ts';
import { fill, makeFolder } from './fill.ts';
import type { Stage } from './stage.ts';

/** How long a backup of a million tickets takes, how large it is, and how long it takes to have them back elsewhere. */
export async function measure(stage: Stage): Promise<Rows> {
  const { values } = parseArgs({
    args: stage.args,
    options: { tickets: { type: 'string', default: '1000000' }, passphrase: { type: 'string' } },
  });
  const tickets = Number(values.tickets);
  const { passphrase } = values;
  const folder = makeFolder(stage);
  await fill(stage, folder, { users: Math.ceil(tickets / 10), tickets });
  const file = path.join(makeFolder(stage), 'backup');

  const watch = watchMemory();
  const from = await startEmbeddedDatabase(folder);
  const stopFrom = stage.ends.add(() => from.stop());
  const made = await timed(() => backUp(from.config, { file, passphrase }));
  const read = await timed(() => verifyBackup({ file, passphrase }));
  await stopFrom();
  const grownBy = watch();

  const into = await startEmbeddedDatabase(makeFolder(stage));
  const stopInto = stage.ends.add(() => into.stop());
  const restored = await timed(() => restore({ file, passphrase }, async () => into.config));
  await stopInto();
  const { tables } = made.result.manifest;
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return {
    'the backup (s)': figure(made.seconds, undefined, { rows }),
    'verifying it (s)': figure(read.seconds),
    'the file (MB)': figure(statSync(file).size / 1e6, undefined, {
      uncompressed: round(tables.reduce((sum, table) => sum + table.bytes, 0) / 1e6),
    }),
    'growth of the memory (MB)': figure(grownBy),
    'restoring it (s)': figure(restored.seconds),
  };
}

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; seconds: number }> {
  const start = performance.now();
  const result = await work();
  return { result, seconds: (performance.now() - start) / 1000 };
}

/** By how much this process grows until it is asked, in megabytes. */
function watchMemory(): () => number {
  const before = process.memoryUsage.rss();
  let most = before;
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 50);
  return () => {
    clearInterval(timer);
    return (most - before) / 1e6;
  };
}

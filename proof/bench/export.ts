import { writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { signInAdministrator } from './administrator.ts';
import { residentMegabytes } from './children.ts';
import { figure, percentile, type Rows, round } from './figures.ts';
import { fill, makeFolder } from './fill.ts';
import { openProduct } from './open-product.ts';
import type { Stage } from './stage.ts';

/**
 * What the export of a million tickets costs: how much the server's memory grows, and how long other calls wait meanwhile.
 * A data folder named on the command line is used as it is, and stays.
 */
export async function measure(stage: Stage): Promise<Rows> {
  const { values } = parseArgs({ args: stage.args, options: { large: { type: 'string' } } });
  const dataDir = values.large ?? makeFolder(stage);
  if (!values.large) await fill(stage, dataDir, { users: 100_000, tickets: 1_000_000 });
  const product = await openProduct(stage, dataDir, { LOG_LEVEL: 'error' });
  const headers = { cookie: await signInAdministrator(product) };
  const megabytes = () => residentMegabytes(product.pid);
  const others = ['/api/admin/tickets', '/api/admin/dashboard?timeZone=UTC', '/api/services', '/api/auth/me'];
  const ask = async (call: number) => {
    const start = performance.now();
    const response = await fetch(product.url + others[call % others.length], { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${response.status} of ${others[call % others.length]}`);
    return performance.now() - start;
  };
  const alone: number[] = [];
  for (let call = 0; call < 400; call += 1) alone.push(await ask(call));

  const before = megabytes();
  let highest = before;
  const start = performance.now();
  const response = await fetch(`${product.url}/api/admin/ticket-export?timeZone=Africa/Ouagadougou`, { headers });
  if (!response.ok || !response.body) throw new Error(`export: ${response.status}`);
  const pieces: Uint8Array[] = [];
  let done = false;
  const reading = (async () => {
    for await (const piece of response.body as AsyncIterable<Uint8Array>) pieces.push(piece);
    done = true;
  })();
  const meanwhile: number[] = [];
  for (let call = 0; !done; call += 1) {
    meanwhile.push(await ask(call));
    highest = Math.max(highest, megabytes());
  }
  await reading;
  const seconds = (performance.now() - start) / 1000;
  const file = path.join(os.tmpdir(), 'tickets_export.xlsx');
  writeFileSync(file, Buffer.concat(pieces));
  console.log(`${response.headers.get('x-total-count')} rows are in ${file}.`);
  return {
    'growth of the memory (MB)': figure(
      highest - before,
      { below: 150 },
      { before: round(before), most: round(highest) },
    ),
    'p99 of other calls meanwhile (ms)': figure(
      percentile(meanwhile, 0.99),
      { below: 200 },
      { calls: meanwhile.length },
    ),
    'their p99 without an export (ms)': figure(percentile(alone, 0.99)),
    'the export (s)': figure(seconds),
    'the file (MB)': figure(pieces.reduce((sum, piece) => sum + piece.byteLength, 0) / 1e6),
  };
}

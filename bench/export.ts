import { readFileSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { makeDataFolder, startProduct } from '../e2e/product.ts';
import { administrator, signInAdministrator } from './administrator.ts';
import { fill } from './fill.ts';

/**
 * What the export of a million tickets costs: how much the server's memory grows, and how long other calls wait meanwhile.
 * A data folder named on the command line is used as it is, and stays.
 */
const { values } = parseArgs({ options: { large: { type: 'string' } } });
const dataDir = values.large ?? makeDataFolder();
if (!values.large) await fill(dataDir, { users: 100_000, tickets: 1_000_000 });
const product = await startProduct(
  dataDir,
  { RATE_LIMITS: 'off', LOG_LEVEL: 'error', ...administrator },
  { keep: values.large !== undefined },
);
try {
  const headers = { cookie: await signInAdministrator(product) };
  const megabytes = () => {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${product.pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  };
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
  console.table({
    rows: response.headers.get('x-total-count'),
    seconds: seconds.toFixed(1),
    'file (MB)': (pieces.reduce((sum, piece) => sum + piece.byteLength, 0) / 1e6).toFixed(1),
    'memory before (MB)': before.toFixed(0),
    'memory at most (MB)': highest.toFixed(0),
    'growth (MB)': (highest - before).toFixed(0),
    'other calls meanwhile': meanwhile.length,
    'their p99 (ms)': p99(meanwhile).toFixed(0),
    'p99 without an export (ms)': p99(alone).toFixed(0),
    written: file,
  });
} finally {
  await product.stop();
}

function p99(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(0.99 * sorted.length)] as number;
}

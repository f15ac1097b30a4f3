import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from './fixtures.ts';
import { enterAs, enterAsAdministrator } from './steps.ts';

/**
 * Limits of the signed-out screen in gzipped bytes and requests, and of home's script in sent bytes and files. HTTP/1
 * browsers open six connections. With two sheets and the services, eleven requests take two round trips, since the
 * libraries use one connection for both; one more takes a third.
 */
const budget = { script: 90_000, sheet: 8_000, requests: 8, homeScript: 110_000, homeFiles: 8 };
const site = path.resolve(import.meta.dirname, '../dist/web');

interface Chunk {
  file: string;
  name?: string;
  isEntry?: boolean;
}

test('the signed-out screen loads 90 KB of gzipped JavaScript and 8 KB of styles at most, and nothing of the administrators', async ({
  page,
  product,
}) => {
  const manifest = JSON.parse(readFileSync(path.join(site, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
  const loaded = new Set<string>();
  const requests: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    requests.push(pathname);
    if (pathname.endsWith('.js')) loaded.add(pathname.slice(1));
  });
  // In data-saving mode, only the first screen's files are loaded.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
  await page.goto(product.url);
  await expect(page.getByRole('tab', { name: 'Inscription' })).toBeVisible();
  await page.waitForLoadState('networkidle');

  const chunks = Object.values(manifest)
    .filter((chunk) => chunk.file.endsWith('.js'))
    .map((chunk) => ({
      chunk: chunk.name ?? chunk.file,
      file: chunk.file,
      gzip: statSync(path.join(site, `${chunk.file}.gz`)).size,
      brotli: statSync(path.join(site, `${chunk.file}.br`)).size,
      'signed out': loaded.has(chunk.file) ? 'yes' : '',
    }))
    .sort((a, b) => b.gzip - a.gzip);
  const first = chunks.filter((chunk) => chunk['signed out']);
  const total = first.reduce((sum, chunk) => sum + chunk.gzip, 0);
  const brotli = first.reduce((sum, chunk) => sum + chunk.brotli, 0);
  const line = (...cells: unknown[]) => cells.map((cell) => String(cell).padEnd(18)).join('');
  const rows = chunks.map((each) => line(each.chunk, each.gzip, each.brotli, each['signed out']));
  process.stdout.write(
    `${[line('chunk', 'gzip (B)', 'brotli (B)', 'signed out'), ...rows, line('signed out', total, brotli)].join('\n')}\n`,
  );

  expect(await page.evaluate(() => (navigator as { connection?: { saveData: boolean } }).connection?.saveData)).toBe(
    true,
  );
  expect(loaded.size).toBe(first.length);
  expect(first.length).toBeGreaterThan(0);
  expect(first.map((chunk) => chunk.chunk)).not.toContain('admin-panel');
  expect(total).toBeLessThanOrEqual(budget.script);
  const sheets = requests.filter((file) => file.endsWith('.css'));
  const sheet = sheets.reduce((sum, file) => sum + statSync(path.join(site, `${file}.gz`)).size, 0);
  process.stdout.write(`${line('style sheet', sheet)}\n${line('requests', requests.length)}\n`);
  expect(sheets).toHaveLength(1);
  expect(sheet).toBeLessThanOrEqual(budget.sheet);
  expect(requests.length, requests.join(' ')).toBeLessThanOrEqual(budget.requests);

  // The sign-up form loads with its tab.
  const before = loaded.size;
  await page.getByRole('tab', { name: 'Inscription' }).click();
  await expect(page.getByLabel('Prénom')).toBeVisible();
  expect(loaded.size).toBeGreaterThan(before);
});

test("a person's home loads 110 KB of JavaScript at most, as it goes over the wire", async ({ page, product }) => {
  // From the first visit on: idle fetches could still be pending.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
  await enterAs(page, product, { firstName: 'Salif', lastName: 'Traoré', phone: '70920001' });
  const loaded = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) loaded.add(pathname.slice(1));
  });
  await page.reload();
  await expect(page.getByRole('button', { name: /Télécom et mobile/ })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const size = (ending: string) =>
    [...loaded].reduce((sum, file) => sum + statSync(path.join(site, `${file}.${ending}`)).size, 0);
  // This browser accepts brotli, as nearly all do.
  const total = size('br');
  process.stdout.write(`home ${total} in ${loaded.size} files (gzip ${size('gz')})\n`);
  expect(loaded.size).toBeGreaterThan(4);
  expect(loaded.size).toBeLessThanOrEqual(budget.homeFiles);
  expect(total).toBeLessThanOrEqual(budget.homeScript);
});

test('files come compressed as the browser asks, hashed ones for a year, the page itself always asked for again', async ({
  page,
  product,
}) => {
  const asked = page.waitForResponse((response) => response.url().includes('/assets/libraries'));
  const document = await page.goto(product.url);
  expect(document?.headers()['cache-control']).toBe('no-cache');
  const script = await asked;
  expect(script.headers()['content-encoding']).toMatch(/^(br|gzip)$/);
  expect(script.headers()['cache-control']).toBe('public, max-age=31536000, immutable');
  expect(script.headers()['x-content-type-options']).toBe('nosniff');
  // The policy is about documents, and is on each of them.
  expect(script.headers()['content-security-policy']).toBeUndefined();
  expect(document?.headers()['content-security-policy']).toContain("default-src 'self'");
});

test('no style sheet has what the oldest browsers cannot read, without its older form', () => {
  const files = readdirSync(path.join(site, 'assets')).filter((file) => file.endsWith('.css'));
  expect(files.length).toBeGreaterThan(2);
  const newer = {
    'a transform as a property, of Chrome 104': /[{;](?:translate|rotate|scale):/g,
    'a condition of Chrome 104': /@media[^{]*(?:[<>]| or |and \(not )[^{]*/g,
    'a unit of Chrome 108': /(?<![\d.]|--screen:|height:)[\d.]+[dsl]v[hw]/g,
    'a line height of Chrome 109': /(?<!min-height:)\b1r?lh/g,
    'a colour of Chrome 111': /(?<!\(color:color-mix\(in )\b(?:oklch|oklab|lab|lch)\(/g,
  };
  for (const file of files) {
    const sheet = readFileSync(path.join(site, 'assets', file), 'utf8');
    for (const [what, pattern] of Object.entries(newer))
      expect(sheet.match(pattern) ?? [], `${file}: ${what}`).toEqual([]);
  }
});

test("the panel's first screen is 200 KB of gzipped JavaScript at most, and each tab 60 KB more", async ({
  page,
  product,
}) => {
  const manifest = JSON.parse(readFileSync(path.join(site, '.vite/manifest.json'), 'utf8')) as Record<string, Part>;
  const size = (files: Iterable<string>) =>
    [...files].reduce((sum, file) => sum + statSync(path.join(site, `${file}.gz`)).size, 0);
  const loaded = new Set<string>();
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.endsWith('.js')) loaded.add(pathname.slice(1));
  });
  await enterAsAdministrator(page, product);
  await expect(page.getByText('Activité récente')).toBeVisible();
  await page.waitForLoadState('networkidle');
  const firstScreen = size(loaded);
  expect(firstScreen).toBeGreaterThan(90_000);
  expect(firstScreen).toBeLessThanOrEqual(200_000);

  const rows: [name: string, bytes: number][] = [['first screen', firstScreen]];
  for (const [name, part] of Object.entries(manifest).filter(([each]) => /-tab\.tsx$/.test(each))) {
    const more = new Set([...filesOf(manifest, name)].filter((file) => !loaded.has(file)));
    if (!loaded.has(part.file)) rows.push([part.name ?? name, size(more)]);
  }
  process.stdout.write(`${rows.map(([name, bytes]) => `${name.padEnd(18)}${bytes}`).join('\n')}\n`);
  expect(rows).toHaveLength(7);
  for (const [name, bytes] of rows.slice(1)) expect(bytes, name).toBeLessThanOrEqual(60_000);
});

interface Part extends Chunk {
  imports?: string[];
}

/** The files of a part and of all its imports. */
function filesOf(manifest: Record<string, Part>, name: string, found = new Set<string>()): Set<string> {
  const part = manifest[name];
  if (!part || found.has(part.file)) return found;
  if (part.file.endsWith('.js')) found.add(part.file);
  for (const each of part.imports ?? []) filesOf(manifest, each, found);
  return found;
}

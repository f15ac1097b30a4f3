import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { expect, test } from './fixtures.ts';
import { enterAs, enterAsAdministrator } from './steps.ts';

/**
 * Limits of the signed-out screen in gzipped bytes and requests, of home's script in sent bytes and files, and of the
 * panel in gzipped bytes. HTTP/1 browsers open six connections. With two sheets and the services, eleven requests take
 * two round trips, since the libraries use one connection for both; one more takes a third.
 */
const budget = {
  script: 90_000,
  sheet: 8_000,
  requests: 8,
  homeScript: 110_000,
  homeFiles: 8,
  panel: 200_000,
  tab: 60_000,
};
const site = path.resolve(import.meta.dirname, '../dist/web');

interface Chunk {
  file: string;
  name?: string;
  imports?: string[];
}
const manifest = () =>
  JSON.parse(readFileSync(path.join(site, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>;
const sizeOf = (files: Iterable<string>, ending: 'gz' | 'br') =>
  [...files].reduce((sum, file) => sum + statSync(path.join(site, `${file}.${ending}`)).size, 0);
const print = (name: string, bytes: number) => process.stdout.write(`${name.padEnd(24)}${bytes}\n`);

/** Loads only the first screen's files, as in data-saving mode; returns the scripts and all paths from now on. */
async function watchLoads(page: Page) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
  const scripts = new Set<string>();
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    paths.push(pathname);
    if (pathname.endsWith('.js')) scripts.add(pathname.slice(1));
  });
  return { scripts, paths };
}

test('the signed-out screen loads 90 KB of gzipped script at most, home 110 KB as sent', async ({ page, product }) => {
  const { scripts, paths } = await watchLoads(page);
  await page.goto(product.url);
  await expect(page.getByRole('tab', { name: 'Inscription' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  const total = sizeOf(scripts, 'gz');
  print('signed out', total);
  expect(total).toBeGreaterThan(0);
  expect(total).toBeLessThanOrEqual(budget.script);
  expect([...scripts].filter((file) => /admin|-tab-/.test(file))).toEqual([]);
  const sheets = paths.filter((file) => file.endsWith('.css'));
  expect(sheets).toHaveLength(1);
  print('style sheet', sizeOf(sheets, 'gz'));
  expect(sizeOf(sheets, 'gz')).toBeLessThanOrEqual(budget.sheet);
  expect(paths.length, paths.join(' ')).toBeLessThanOrEqual(budget.requests);
  // The sign-up form loads with its tab.
  const before = scripts.size;
  await page.getByRole('tab', { name: 'Inscription' }).click();
  await expect(page.getByLabel('Prénom')).toBeVisible();
  expect(scripts.size).toBeGreaterThan(before);

  await enterAs(page, product, { firstName: 'Salif', lastName: 'Traoré', phone: '70920001' });
  await page.waitForLoadState('networkidle');
  scripts.clear();
  await page.reload();
  await expect(page.getByRole('button', { name: /Télécom et mobile/ })).toBeVisible();
  await page.waitForLoadState('networkidle');
  // This browser accepts brotli, as nearly all do.
  print(`home, ${scripts.size} files`, sizeOf(scripts, 'br'));
  expect(scripts.size).toBeGreaterThan(4);
  expect(scripts.size).toBeLessThanOrEqual(budget.homeFiles);
  expect(sizeOf(scripts, 'br')).toBeLessThanOrEqual(budget.homeScript);
});

test("the panel's first screen is 200 KB of gzipped script at most, each tab 60 KB more", async ({ page, product }) => {
  const { scripts } = await watchLoads(page);
  await enterAsAdministrator(page, product);
  await expect(page.getByText('Activité récente')).toBeVisible();
  await page.waitForLoadState('networkidle');
  const parts = manifest();
  print('panel', sizeOf(scripts, 'gz'));
  expect(sizeOf(scripts, 'gz')).toBeGreaterThan(90_000);
  expect(sizeOf(scripts, 'gz')).toBeLessThanOrEqual(budget.panel);
  /** The files of a part and of all its imports. */
  const filesOf = (name: string, found = new Set<string>()): Set<string> => {
    const part = parts[name];
    if (!part || found.has(part.file)) return found;
    if (part.file.endsWith('.js')) found.add(part.file);
    for (const each of part.imports ?? []) filesOf(each, found);
    return found;
  };
  const tabs = Object.keys(parts).filter((name) => /-tab\.tsx$/.test(name) && !scripts.has(parts[name]?.file ?? ''));
  expect(tabs).toHaveLength(6);
  for (const name of tabs) {
    const more = sizeOf(
      [...filesOf(name)].filter((file) => !scripts.has(file)),
      'gz',
    );
    print(parts[name]?.name ?? name, more);
    expect(more, name).toBeLessThanOrEqual(budget.tab);
  }
});

test('files come compressed, hashed ones for a year, the page is always asked for again', async ({ page, product }) => {
  const asked = page.waitForResponse((response) => response.url().includes('/assets/libraries'));
  const document = await page.goto(product.url);
  expect(document?.headers()['cache-control']).toBe('no-cache, no-transform');
  const script = await asked;
  expect(script.headers()['content-encoding']).toMatch(/^(br|gzip)$/);
  expect(script.headers()['cache-control']).toBe('public, max-age=31536000, immutable, no-transform');
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

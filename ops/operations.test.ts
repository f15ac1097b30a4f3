import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { statementBytes } from '#contract/payment-feed.ts';
import { maximumImageBytes } from '#contract/uploads.ts';
import { httpLimits } from '#server/http/limits.ts';
import { pinnedNode } from '#server/process/pinned-node.mjs';

const root = path.dirname(import.meta.dirname);
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

const scripts = Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts);
const settings = matches(read('.env.example'), /^#?([A-Z][A-Z_\d]+)=/gm);
const units = globSync('ops/systemd/*', { cwd: root });
const guide = ['docs/operating.md', 'docs/nginx.md'].filter((file) => existsSync(path.join(root, file)));

/** Of the operating system, or of the programs beside the product. */
const others = [
  'TMPDIR',
  'MALLOC_ARENA_MAX',
  'GUICHET_SITE',
  'GUICHET_PROCESSES',
  'DATABASE_PASSWORD',
  'COPY_FROM',
  'COPY_TO',
  'CADDY_ADMIN',
];
const isKnown = (name: string) => settings.includes(name) || others.includes(name);

test('what runs the product names no setting that it does not have', () => {
  const named = [
    ...units.flatMap((unit) => matches(read(unit), /^Environment=([A-Z_\d]+)=/gm)),
    ...matches(/^ENV .*$/m.exec(read('ops/container/Containerfile'))?.[0] ?? '', / ([A-Z][A-Z_\d]+)=/g),
    ...matches(read('ops/container/guichet.env.example'), /^#?([A-Z][A-Z_\d]+)=/gm),
    ...matches(read('ops/container/compose.yaml').split('\n  database:')[0] ?? '', /^ {6}([A-Z][A-Z_\d]+): /gm),
    ...guide.flatMap((file) => matches(read(file), /^(?:export )?([A-Z][A-Z_\d]+)=/gm)),
  ];
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !isKnown(name))).toEqual([]);
});

test('nor a path of the product, or an npm script, that is not there', () => {
  const files = [
    ...units,
    ...guide,
    'ops/container/compose.yaml',
    'ops/caddy/Caddyfile',
    'ops/nginx/guichet.conf',
    'ops/container/Containerfile',
  ];
  const made = ['.env', 'node_modules', 'dist'];
  const paths = [
    ...files.flatMap((file) => matches(read(file), /\/opt\/guichet\/([\w./@-]+)/g)),
    ...matches(read('ops/container/Containerfile'), /^COPY (?!--from)([\w. -]+) \S+$/gm).flatMap((names) =>
      names.split(' '),
    ),
    ...matches(read('ops/container/compose.yaml'), /(?:dockerfile: |"\.\.\/)([\w./-]+)/g).map((named) =>
      named.startsWith('ops/') ? named : `ops/${named}`,
    ),
    ...matches(read('.dockerignore'), /^!(\S+)$/gm),
    ...units.flatMap((unit) => matches(read(unit), /bin\/node ([\w./-]+)/g)),
  ].filter((named) => !made.some((name) => named.startsWith(name)) && (guide.length > 0 || !named.startsWith('docs/')));
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((named) => !existsSync(path.join(root, named.replace(/[.,]$/, ''))))).toEqual([]);
  const called = files.flatMap((file) => matches(read(file), /npm run (?:--\S+ )*([\w:-]+)/g));
  expect(called.filter((name) => !scripts.includes(name))).toEqual([]);
});

test('what is started is the Node of its package, which every npm leaves there', () => {
  for (const unit of ['ops/systemd/guichet.service', 'ops/systemd/guichet@.service']) {
    const [, pattern = ''] = /^ExecStart=\/bin\/sh -c 'exec (\S+) server\/main\.mjs'$/m.exec(read(unit)) ?? [];
    expect(pattern).not.toBe('');
    if (process.platform === 'linux')
      expect(globSync(pattern, { cwd: root }).map((found) => path.join(root, found))).toEqual([pinnedNode()]);
  }
  expect(read('ops/container/Containerfile')).not.toContain('.bin/node');
});

test('a stop of all processes ends when they have ended, and no page says which proxy made it', () => {
  const unit = read('ops/systemd/guichet@.service');
  expect(unit).toMatch(/^PartOf=guichet\.target$/m);
  expect(unit).toMatch(/^After=.*guichet\.target/m);
  // Its own pages are a block of their own.
  expect(read('ops/caddy/Caddyfile')).toMatch(/^\theader -Server$[\s\S]*^\thandle_errors \{\n\t\theader -Server$/m);
});

test.each([
  ['ops/caddy/Caddyfile', /max_size (\d+)MiB/],
  ['ops/nginx/guichet.conf', /client_max_body_size (\d+)m;/],
])('%s lets the largest file through with its form, and says the limits as the product does', (file, pattern) => {
  const [, mebibytes] = pattern.exec(read(file)) ?? [];
  expect(Number(mebibytes) * 1024 * 1024).toBeGreaterThan(
    statementBytes + httpLimits.fieldBytes * httpLimits.formFields,
  );
  const [statement, image] = [statementBytes, maximumImageBytes].map((bytes) => bytes / 1024 / 1024);
  expect(read(file)).toContain(`${statement} Mo au plus pour un relevé, ${image} Mo pour une image.`);
});

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type ESTree, type Plugin, parseSync, Visitor } from 'vite';
import { minimumBrowsers } from './browsers.ts';
import { firstDocument } from './build/first-document.ts';
import { serviceWorker } from './build/service-worker.ts';

const out = path.resolve(import.meta.dirname, '../dist/web');

/** Modules of ours by the ends of their paths, on any system. */
const modules = (...ends: string[]) => new RegExp(ends.join('|').replaceAll('/', '[\\\\/]'));

const firstScreen = modules(
  'web/ui/(?:button|card|control-icons|drawing|field|join|limits|spinner|toast)\\.tsx?$',
  'web/api/(?:client|connectivity|forget-kept|limits|preloaded-responses|use-answer|use-call)\\.tsx?$',
  'web/session/(?:auth|return-address|stored-user)\\.tsx?$',
  'web/forms/(?:read-form|use-action|use-failure-toast|use-form-errors|use-kept)\\.tsx?$',
  'web/text/failures\\.ts$',
  'web/(?:order-draft|addresses|router|shell/legal-links)\\.tsx?$',
  'contract/(?:auth|page-background|endpoint|passwords|phone|shapes|waiting)\\.ts$',
);

/** What all screens but the first share: one file, since each is a wait of its own on a slow line. */
const page = modules('web/ui/(?:icons|page|query-state|skeleton)\\.tsx?$', 'web/api/polling\\.ts$');

/** What home shares with the screens behind it. */
const home = modules(
  // All of it but for what a level reads with.
  'node_modules/@tanstack/(?!.*/(?:queriesObserver|useQueries)\\.)',
  'web/api/(?:conditional-reads|kept-answers|list-pages|poll-jitter|query-provider|read|use-endpoint|use-list)\\.tsx?$',
  'web/catalogue/(?:emoji|fold|operator-mark|picture|service-card|service-text)\\.tsx?$',
  'web/push/push-owner\\.ts$',
  'web/shell/navigation\\.tsx$',
  'contract/(?:catalogue|notifications|tickets)\\.ts$',
);

/** Writes a .br and a .gz beside every text file, so that the server compresses nothing while it serves. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /\.(?:js|css|svg|html|webmanifest)$/.test(file),
      );
      for (const file of files.map((each) => path.join(out, each))) {
        const bytes = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/** What the browser's client reads of an endpoint; the rest is for the server, for its documents and for the types. */
const keptOnPhones = new Set(['method', 'path', 'upload']);

/** `z`, and the functions of `contract/shapes.ts` that make schemas with it. */
const schemaMakers = new Set(['z', 'digits', 'formed', 'freeText', 'listOf', 'text', 'verbatim', 'words']);

/** Whether a call makes a schema: `z.string().check(…)`, `text(80).check(…)` and the like, which do nothing else. */
function makesSchema(call: ESTree.CallExpression): boolean {
  let root: ESTree.Expression | ESTree.Super = call;
  while (root.type === 'CallExpression' || root.type === 'MemberExpression')
    root = root.type === 'CallExpression' ? root.callee : root.object;
  return root.type === 'Identifier' && schemaMakers.has(root.name);
}

/**
 * Leaves out of the contract what a phone has no use for: of each `endpoint({ … })` all but what its client reads, which
 * stays as a plain object, and the words for the OpenAPI document around a schema. Schemas are marked as what may be left
 * out where nothing uses them, as those of answers then.
 */
function lightContract(): Plugin {
  return {
    name: 'light-contract',
    enforce: 'pre',
    transform(code, id) {
      if (!/[\\/]contract[\\/][\w-]+\.ts$/.test(id)) return undefined;
      const cuts: { start: number; end: number }[] = [];
      const schemas = new Set<number>();
      new Visitor({
        CallExpression(call) {
          const { callee, start, end } = call;
          const [first, second] = call.arguments;
          if (makesSchema(call)) schemas.add(start);
          if (callee.type !== 'Identifier' || !first) return;
          if (callee.name === 'documented') cuts.push({ start, end: first.start }, { start: first.end, end });
          if (callee.name === 'component' && second)
            cuts.push({ start, end: second.start }, { start: second.end, end });
          if (callee.name !== 'endpoint' || first.type !== 'ObjectExpression') return;
          cuts.push({ start, end: first.start }, { start: first.end, end });
          for (const each of first.properties)
            if (each.type !== 'Property' || each.key.type !== 'Identifier' || !keptOnPhones.has(each.key.name))
              cuts.push({ start: each.start, end: code[each.end] === ',' ? each.end + 1 : each.end });
        },
      }).visit(parseSync(id, code, {}).program);
      const isIn = (place: number, cut: { start: number; end: number }) => cut.start <= place && place < cut.end;
      const edits = [
        ...cuts
          .filter(
            ({ start, end }) => !cuts.some((c) => c.start <= start && end <= c.end && c.end - c.start > end - start),
          )
          .map((cut) => ({ ...cut, text: '' })),
        ...[...schemas]
          .filter((start) => !cuts.some((cut) => isIn(start, cut)))
          .map((start) => ({ start, end: start, text: '/* @__PURE__ */ ' })),
      ];
      // From the last to the first, so that the places before an edit stay where they were.
      return edits
        .sort((a, b) => b.start - a.start)
        .reduce((edited, { start, end, text }) => edited.slice(0, start) + text + edited.slice(end), code);
    },
  };
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [lightContract(), react(), tailwind(), firstDocument(), serviceWorker(), precompress()],
  build: {
    outDir: out,
    emptyOutDir: true,
    target: [...minimumBrowsers],
    // The security policy allows no data: script, and a separate small file is cached for a year.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: {
      // Of a schema that is left out nothing stays of what it read.
      treeshake: { propertyReadSideEffects: false },
      output: {
        // A name stands wherever its file is asked for, and its hash does not compress: 42 bits are enough.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          // What a group's modules import for others alone stays with those.
          includeDependenciesRecursively: false,
          groups: [
            // Changes only when a library does: a phone keeps it across releases.
            { name: 'libraries', test: /node_modules[\\/](?:react|react-dom|scheduler|zod)[\\/]/ },
            // What the first screen shares with the later ones, in one file: it compresses better than four.
            { name: 'house', test: firstScreen },
            { name: 'page', test: page },
            { name: 'home', test: home },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/uploads': 'http://127.0.0.1:3000' } },
});

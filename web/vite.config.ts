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

/** Our modules by the ends of their paths, on any system. */
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

/** Shared by all screens but the first, in one file: each file is a round trip on a slow connection. */
const page = modules('web/ui/(?:icons|page|query-state|skeleton)\\.tsx?$', 'web/api/polling\\.ts$');

/** Shared by home and the screens behind it. */
const home = modules(
  // All of it except the queries of a catalogue level.
  'node_modules/@tanstack/(?!.*/(?:queriesObserver|useQueries)\\.)',
  'web/api/(?:conditional-reads|kept-answers|list-pages|poll-jitter|query-provider|read|use-endpoint|use-list)\\.tsx?$',
  'web/catalogue/(?:emoji|fold|operator-mark|picture|service-card|service-text)\\.tsx?$',
  'web/push/push-owner\\.ts$',
  'web/shell/navigation\\.tsx$',
  'contract/(?:catalogue|notifications|tickets)\\.ts$',
);

/** Writes a .br and a .gz file beside every text file, so that the server compresses nothing. */
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

/** The endpoint fields that the browser's client reads; the others serve the server, its documents and the types. */
const keptOnPhones = new Set(['method', 'path', 'upload']);

/** `z`, and the functions of `contract/shapes.ts` that make schemas. */
const schemaMakers = new Set(['z', 'digits', 'formed', 'freeText', 'listOf', 'text', 'verbatim', 'words']);

/** Whether a call only makes a schema: `z.string().check(…)`, `text(80).check(…)` and the like. */
function makesSchema(call: ESTree.CallExpression): boolean {
  let root: ESTree.Expression | ESTree.Super = call;
  while (root.type === 'CallExpression' || root.type === 'MemberExpression')
    root = root.type === 'CallExpression' ? root.callee : root.object;
  return root.type === 'Identifier' && schemaMakers.has(root.name);
}

/**
 * Reduces the contract to the browser's needs. Each `endpoint({ … })` becomes a plain object with the fields that the
 * client reads. Schemas lose their OpenAPI documentation, and unused ones, such as those of answers, are marked for
 * removal.
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
      // From last to first, so that earlier offsets stay valid.
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
      // An omitted schema leaves no property reads behind.
      treeshake: { propertyReadSideEffects: false },
      output: {
        // A name appears wherever its file is imported, and its hash does not compress: 42 bits are enough.
        chunkFileNames: 'assets/[name]-[hash:7].js',
        codeSplitting: {
          // Imports that only other groups need stay with those.
          includeDependenciesRecursively: false,
          groups: [
            // Changes only with a library: phones cache it across releases.
            { name: 'libraries', test: /node_modules[\\/](?:react|react-dom|scheduler|zod)[\\/]/ },
            // Shared by the first screen and later ones, in one file: it compresses better than four.
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

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type ESTree, type Plugin, parseSync, type Rolldown, Visitor } from 'vite';
import { minimumBrowsers } from './browsers.ts';
import { firstDocument } from './build/first-document.ts';
import { serviceWorker } from './build/service-worker.ts';

const out = path.resolve(import.meta.dirname, '../dist/web');

type Modules = Pick<Rolldown.ChunkingContext, 'getModuleInfo'>;

/** The modules from which static imports lead to a module: the document, and the targets of each `import()`. */
function rootsOf(id: string, modules: Modules, seen = new Set([id])): string[] {
  const { importers = [], dynamicImporters = [], isEntry = false } = modules.getModuleInfo(id) ?? {};
  const above = importers.filter((each) => !seen.has(each) && seen.add(each));
  const own = isEntry || dynamicImporters.length > 0 ? [id] : [];
  return [...own, ...above.flatMap((each) => rootsOf(each, modules, seen))];
}

/**
 * The file of a module that home shares with other screens, since each file is a round trip on a slow connection. `page` is
 * what most targets that the first screen imports share as well, so that they load no more of home. Null: the bundler decides.
 */
function fileOfHome(id: string, modules: Modules): string | null {
  const isEntry = (each: string) => modules.getModuleInfo(each)?.isEntry === true;
  const roots = rootsOf(id, modules);
  const isShared = roots.length > 1 && roots.some((root) => root.endsWith('/web/user-screens.tsx'));
  if (!isShared || roots.some(isEntry)) return null;
  const isOfFirstScreen = (each: string) => rootsOf(each, modules).some(isEntry);
  const next = roots.filter((root) => modules.getModuleInfo(root)?.dynamicImporters.some(isOfFirstScreen));
  return next.length > 2 ? 'page' : 'home';
}

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

/** `z`, and the functions of `contract/shapes.ts` that make schemas. */
const schemaMakers = new Set(['z', 'digits', 'formed', 'freeText', 'listOf', 'nameText', 'text', 'verbatim', 'words']);

/** Whether a call only makes a schema: `z.string().check(…)`, `text(80).check(…)` and the like. */
function makesSchema(call: ESTree.CallExpression): boolean {
  let root: ESTree.Expression | ESTree.Super = call;
  while (root.type === 'CallExpression' || root.type === 'MemberExpression')
    root = root.type === 'CallExpression' ? root.callee : root.object;
  return root.type === 'Identifier' && schemaMakers.has(root.name);
}

/**
 * Reduces the contract to the browser's needs. Each `endpoint(…)` becomes a plain object with the fields that the
 * browser's client reads: method, path and upload. Schemas lose their OpenAPI documentation, and unused ones, such as those of answers, are marked for
 * removal.
 */
function lightContract(): Plugin {
  return {
    name: 'light-contract',
    enforce: 'pre',
    transform(code, id) {
      if (!/[\\/]contract[\\/][\w-]+\.ts$/.test(id)) return undefined;
      const cuts: { start: number; end: number; text?: string }[] = [];
      const schemas = new Set<number>();
      new Visitor({
        CallExpression(call) {
          const { callee, start, end } = call;
          const [first, second, third, fourth] = call.arguments;
          if (makesSchema(call)) schemas.add(start);
          if (callee.type !== 'Identifier' || !first) return;
          if (callee.name === 'documented') cuts.push({ start, end: first.start }, { start: first.end, end });
          if (callee.name === 'component' && second)
            cuts.push({ start, end: second.start }, { start: second.end, end });
          if (callee.name !== 'endpoint' || !second || !third || fourth?.type !== 'ObjectExpression') return;
          const [method, path] = [second, third].map((each) => code.slice(each.start, each.end));
          cuts.push(
            { start, end: fourth.start + 1, text: `{ method: ${method}, path: ${path},` },
            { start: fourth.end, end },
          );
          for (const each of fourth.properties)
            if (each.type !== 'Property' || each.key.type !== 'Identifier' || each.key.name !== 'upload')
              cuts.push({ start: each.start, end: code[each.end] === ',' ? each.end + 1 : each.end });
        },
      }).visit(parseSync(id, code, {}).program);
      const isIn = (place: number, cut: { start: number; end: number }) => cut.start <= place && place < cut.end;
      const edits = [
        ...cuts
          .filter(
            ({ start, end }) => !cuts.some((c) => c.start <= start && end <= c.end && c.end - c.start > end - start),
          )
          .map((cut) => ({ text: '', ...cut })),
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

/** Where the product listens in development: `scripts/dev.mjs` has read the settings. */
const product = `http://127.0.0.1:${process.env.PORT || 3000}`;

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
            // All static imports of the document, in one file: it compresses better than several.
            { name: 'index', tags: ['$initial'] },
            { name: fileOfHome, debugName: 'home' },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': product, '/uploads': product } },
});

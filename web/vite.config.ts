import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const out = path.resolve(import.meta.dirname, '../dist/web');

const firstScreen = new RegExp(
  [
    'web/ui/(?:button|card|control-icons|drawing|field|join|spinner|toast|use-form-errors)\\.tsx?$',
    'web/api/(?:client|session|use-action)\\.tsx?$',
    'web/text/(?:failures|form)\\.ts$',
    'web/(?:chosen-path|legal-links|paths)\\.tsx?$',
    'contract/(?:auth|background|endpoint|passwords|phone|users|waiting)\\.ts$',
  ]
    .join('|')
    .replaceAll('/', '[\\\\/]'),
);

/** Writes a .br and a .gz beside every text file, so that the server compresses nothing while it serves. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    closeBundle() {
      const files = readdirSync(out, { recursive: true, encoding: 'utf8' }).filter((file) =>
        /\.(?:js|css|svg|html)$/.test(file),
      );
      for (const file of files.map((each) => path.join(out, each))) {
        const bytes = readFileSync(file);
        writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
        writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
    },
  };
}

/** The endpoints' summaries are for the OpenAPI document, which the server writes: a phone does not carry them. */
function withoutSummaries(): Plugin {
  return {
    name: 'without-summaries',
    enforce: 'pre',
    transform: (code, id) =>
      /[\\/]contract[\\/]/.test(id) ? code.replace(/^ {2}summary:\s*(?:'(?:[^'\\]|\\.)*'|"[^"]*"),$/gm, '') : undefined,
  };
}

export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: {
      'use-sync-external-store/shim/index.js': path.resolve(import.meta.dirname, 'native-external-store.ts'),
    },
  },
  plugins: [withoutSummaries(), react(), tailwind(), precompress()],
  build: {
    outDir: out,
    emptyOutDir: true,
    target: 'es2022',
    // The security policy allows no data: script, and a separate small file is cached for a year.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // Changes only when a library does: a phone keeps it across releases.
            { name: 'libraries', test: /node_modules[\\/](?:react|react-dom|scheduler|wouter|regexparam|zod)[\\/]/ },
            // What the first screen shares with the later ones, in one file: it compresses better than four.
            { name: 'house', test: firstScreen },
          ],
        },
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:3000', '/uploads': 'http://127.0.0.1:3000' } },
});

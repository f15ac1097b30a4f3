import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'vite';
import { addresses } from '#web/addresses.ts';
import { minimumBrowsers } from '#web/browsers.ts';
import { type Bundle, closureOf, sheetsOf } from './bundle.ts';

/** Files beside the chunks that the app displays or requests. */
const others = ['icon.svg', 'manifest.webmanifest'];

/** The files of the visitors' screens: everything reachable from the first one without the panel. */
function visitorFiles(bundle: Bundle): string[] {
  const panel = closureOf(bundle, 'web/features/admin/admin-panel.tsx').values().next().value;
  const chunks = closureOf(bundle, 'web/index.html', (file) => file !== panel);
  return [...chunks, ...sheetsOf(bundle, chunks), ...others].sort();
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64');

/** Builds `web/worker/service-worker.ts` beside the app, with its list of files to cache. */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      if (!dir) throw new Error('the build goes to no folder');
      const integrity = (file: string) => `sha256-${hashOf(readFileSync(path.join(dir, file)))}`;
      const precached = [
        [addresses.home, integrity('index.html')],
        ...visitorFiles(bundle).map((file) => [`/${file}`, integrity(file)]),
      ];
      const list = JSON.stringify(precached);
      await build({
        configFile: false,
        publicDir: false,
        logLevel: 'warn',
        define: {
          builtFiles: list,
          version: JSON.stringify(hashOf(Buffer.from(list)).slice(0, 12)),
        },
        build: {
          outDir: dir,
          emptyOutDir: false,
          target: [...minimumBrowsers],
          modulePreload: false,
          rolldownOptions: {
            input: path.resolve(import.meta.dirname, '../worker/service-worker.ts'),
            output: { format: 'iife', entryFileNames: 'service-worker.js' },
          },
        },
      });
    },
  };
}

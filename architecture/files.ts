import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of the repository; `path` is written with `/` from its root. */
export interface SourceFile {
  path: string;
  text: string;
}

const notOurs = new Set(['node_modules', 'dist', 'data', 'coverage', 'test-results', 'playwright-report']);
const readable = /\.(?:[cm]?[jt]sx?|css|html|md|json)$|^(?:Dockerfile|LICENSE)$/;

/** Every text file a person wrote, generated migrations and the lock file left out. */
export function readFiles(root: string): SourceFile[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && readable.test(entry.name))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .filter((file) => !file.split('/').some((folder) => folder.startsWith('.') || notOurs.has(folder)))
    .filter((file) => file !== 'package-lock.json' && !file.startsWith('server/database/migrations/'))
    .sort()
    .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }));
}

/** Every file and folder of the repository, hidden ones included, installed and generated ones left out. */
export function listPaths(root: string): string[] {
  const walk = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.name === '.git' || notOurs.has(entry.name)) return [];
      return entry.isDirectory() ? [name, ...walk(name)] : [name];
    });
  return walk('');
}

/** The file of this repository an import means, written from its root; `undefined` for a package. */
export function targetOf(from: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  return undefined;
}

/** The package an import means ('@fastify/cookie', 'zod', 'node:path'); `undefined` for a file of ours. */
export function packageOf(specifier: string): string | undefined {
  if (/^[#./]/.test(specifier)) return undefined;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

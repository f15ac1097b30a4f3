import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A file of the repository; `path` is written with `/` from its root. */
export interface SourceFile {
  path: string;
  text: string;
}

/** What exists only on the machine that made it. */
export const made =
  /^(?:\.\/)?(?:data|dist|screens|node_modules|coverage|test-results|playwright-report|\.git)(?:\/|$)/;

/** Every file and folder of the repository, hidden ones included. */
export function listPaths(root: string, folder = ''): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = folder ? `${folder}/${entry.name}` : entry.name;
    if (made.test(name) || entry.name === 'node_modules') return [];
    return entry.isDirectory() ? [name, ...listPaths(root, name)] : [name];
  });
}

/** Every text file that a person wrote. */
export const readFiles = (root: string): SourceFile[] =>
  listPaths(root)
    .filter((file) => /\.(?:[cm]?[jt]sx?|css|html|md|sql)$|^biome\.json$/.test(file))
    .map((file) => ({ path: file, text: readFileSync(path.join(root, file), 'utf8') }));

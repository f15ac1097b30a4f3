// The part of `npm run check` that is the house's own: who imports what, the documents. Prints the size of each room.
import path from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { brokenDocuments } from './documents.ts';
import { readFiles } from './files.ts';
import { importRules } from './imports.ts';

/** Every break of a rule below a folder, as '<file or room> <what it does>'. */
export async function findBreaks(root: string): Promise<string[]> {
  const { output } = await cruise(['contract', 'server', 'web'], { ...importRules, baseDir: root });
  const { violations } = (output as ICruiseResult).summary;
  const imports = violations.map(({ from, to, rule }) => `${from} imports ${to}: ${rule.name}`);
  return [...imports, ...brokenDocuments(root)];
}

/** A folder of contract, server, web or their features, or what is beside those. */
const room = /^(?:contract|(?:server|web)\/features\/[^/]+|(?:server|web)\/[^/]+(?=\/)|server|web)(?=\/)/;

/** The lines of TypeScript, CSS and SQL of each room of the product, without tests, and of all of them. */
function sizesOfRooms(root: string): [room: string, lines: number][] {
  const sizes = new Map<string, number>();
  for (const file of readFiles(root)) {
    const [name] = room.exec(file.path) ?? [];
    if (!name || !/(?<!\.test)\.(?:tsx?|mjs|css|sql)$/.test(file.path) || name === 'server/testing') continue;
    for (const each of [name, 'all']) sizes.set(each, (sizes.get(each) ?? 0) + file.text.split('\n').length - 1);
  }
  return [...sizes].sort();
}

if (import.meta.main) {
  const root = path.dirname(import.meta.dirname);
  for (const [name, lines] of sizesOfRooms(root)) process.stdout.write(`${String(lines).padStart(6)}  ${name}\n`);
  const breaks = await findBreaks(root);
  for (const each of breaks) process.stderr.write(`${each}\n`);
  process.exitCode = breaks.length > 0 ? 1 : 0;
}

// The part of `npm run check` that is the house's own: who imports what, the documents. Prints the size of each room.
import path from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { brokenDocuments } from './documents.ts';
import { newerBuiltIns } from './floor.ts';
import { importRules } from './imports.ts';
import { brokenOwnRules, sizesOfRooms } from './own-rules.ts';

/** Every break of a rule below a folder, as '<file or room> <what it does>'. */
export async function findBreaks(root: string): Promise<string[]> {
  const { output } = await cruise(['contract', 'server', 'web'], { ...importRules, baseDir: root });
  const { violations } = (output as ICruiseResult).summary;
  const imports = violations.map(({ from, to, rule }) => `${from} imports ${to}: ${rule.name}`);
  return [...imports, ...brokenOwnRules(root), ...brokenDocuments(root), ...newerBuiltIns(root)];
}

if (import.meta.main) {
  const root = path.dirname(import.meta.dirname);
  for (const [room, lines] of sizesOfRooms(root)) process.stdout.write(`${String(lines).padStart(6)}  ${room}\n`);
  const breaks = await findBreaks(root);
  for (const each of breaks) process.stderr.write(`${each}\n`);
  process.exitCode = breaks.length > 0 ? 1 : 0;
}

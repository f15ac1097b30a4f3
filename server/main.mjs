import { fileURLToPath } from 'node:url';
import { runsOnPinnedNode } from '#server/process/pinned-node.mjs';

// Asked before anything else is read: an older Node reads no TypeScript, or fails on something else that it lacks.
if (runsOnPinnedNode(fileURLToPath(import.meta.url))) {
  await import('#server/process/quick-imports.ts');
  await import('./serve.ts');
}

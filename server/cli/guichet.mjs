import { fileURLToPath } from 'node:url';
import { runsOnPinnedNode } from '#server/process/pinned-node.mjs';

// As server/main.mjs: asked before anything else is read.
if (runsOnPinnedNode(fileURLToPath(import.meta.url))) await import('./guichet.ts');

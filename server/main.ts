import v8 from 'node:v8';
import { whyNotServe } from '#server/process/why-not-serve.mjs';

// V8 lets a heap grow to several times what lives in it before it looks for what does not: fine for a large machine, and too
// much for the small server that this is for. A third more is enough, and costs nothing that can be measured.
v8.setFlagsFromString('--heap-growing-percent=30');

// Asked before anything else is read: a Node that is a little too old reads TypeScript, and fails on what it lacks itself.
const reason = whyNotServe();
if (reason) {
  console.error(reason);
  process.exitCode = 1;
} else {
  await import('./serve.ts');
}

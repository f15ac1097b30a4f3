import { whyNotServe } from '#server/process/why-not-serve.mjs';

// Asked before anything else is read: a Node that is too old reads no TypeScript, or fails on something else that it lacks.
const reason = whyNotServe();
if (reason) {
  console.error(reason);
  process.exitCode = 1;
} else {
  await import('#server/process/quick-imports.ts');
  await import('./serve.ts');
}

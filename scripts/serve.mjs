// What `npm start` runs, on whatever Node it finds: an old one cannot even read the server's TypeScript.
import { whyNotServe } from '../server/process/why-not-serve.mjs';

const reason = whyNotServe();
if (reason) {
  console.error(reason);
  process.exitCode = 1;
} else {
  await import('../server/main.mjs');
}

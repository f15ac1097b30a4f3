// What `npm start` runs: the process itself, which says in a sentence when it cannot run.
import '../server/main.mjs';

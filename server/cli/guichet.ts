import { CannotStart } from '#server/process/cannot-start.ts';
import { adminReset } from './admin-reset.ts';
import { doctor } from './doctor/doctor.ts';

/** `npm run guichet -- <command>`: each command by its one or two words, and what to write after them. */
const commands: Record<string, { usage: string; run(given: string[]): Promise<void> }> = {
  'admin reset': { usage: 'admin reset [--phone +22670000000]', run: adminReset },
  doctor: { usage: 'doctor', run: doctor },
};

async function run(words: string[]): Promise<void> {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command) return command.run(words.slice(count));
  }
  const usages = Object.values(commands).map(({ usage }) => `npm run guichet -- ${usage}`);
  const asked = words.slice(0, 2).join(' ');
  throw new CannotStart(`${asked ? `« ${asked} » n’est pas compris. ` : ''}Écrivez : ${usages.join(' ; ')}`);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  process.exitCode = 1;
}

import { CannotStart } from '#server/process/cannot-start.ts';
import { adminReset } from './admin-reset.ts';

/** `npm run guichet -- <command>`: each command by its words, and what to write after them. */
const commands: Record<string, { usage: string; run(given: string[]): Promise<void> }> = {
  'admin reset': { usage: 'admin reset [--phone +22670000000]', run: adminReset },
};

async function run([area = '', verb = '', ...given]: string[]): Promise<void> {
  const command = commands[`${area} ${verb}`];
  if (command) return command.run(given);
  const usages = Object.values(commands).map(({ usage }) => `npm run guichet -- ${usage}`);
  const asked = [area, verb].filter(Boolean).join(' ');
  throw new CannotStart(`${asked ? `« ${asked} » n’est pas compris. ` : ''}Écrivez : ${usages.join(' ; ')}`);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  process.exitCode = 1;
}

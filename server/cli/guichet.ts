import os from 'node:os';
import { CannotStart } from '#server/process/cannot-start.ts';
import '#server/process/quick-imports.ts';
import type { Command } from './command.ts';

/** `npm run guichet -- <command>`: each command by its one or two words; what it takes is read when it is asked for. */
const commands: Record<string, { usage: string; load(): Promise<Command> }> = {
  'admin create': {
    usage: 'admin create --phone +22670000000 [--name "Fatou Diallo"] [--yes]',
    load: async () => (await import('./admin.ts')).adminCreate,
  },
  'admin reset': {
    usage: 'admin reset [--phone +22670000000]',
    load: async () => (await import('./admin.ts')).adminReset,
  },
  'admin remove': {
    usage: 'admin remove --phone +22670000000',
    load: async () => (await import('./admin.ts')).adminRemove,
  },
  backup: { usage: 'backup FICHIER', load: async () => (await import('./backup.ts')).backup },
  doctor: { usage: 'doctor', load: async () => (await import('./doctor.ts')).doctor },
  restore: { usage: 'restore FICHIER', load: async () => (await import('./backup.ts')).restoreBackup },
  seed: { usage: 'seed [--users 1000] [--tickets 50000] [--yes]', load: async () => (await import('./seed.ts')).seed },
};

/** The reason of a command that a signal ended. */
class Interrupted extends CannotStart {
  /** As shells have it: 130 after Ctrl-C, 143 after SIGTERM. */
  readonly status: number;

  constructor(signal: NodeJS.Signals) {
    super('Interrompu.');
    this.status = 128 + os.constants.signals[signal];
  }
}

// Whoever reads has enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const interruption = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => interruption.abort(new Interrupted(signal)));

const listUsages = () =>
  `Écrivez :\n${Object.values(commands)
    .map(({ usage }) => `  npm run guichet -- ${usage}`)
    .join('\n')}`;

async function run(words: string[], interrupted: AbortSignal): Promise<void> {
  if (words[0] === 'help' || words.some((word) => word === '--help' || word === '-h')) return console.log(listUsages());
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) continue;
    const run = await command.load();
    return run(words.slice(count), interrupted);
  }
  const asked = words.slice(0, 2).join(' ');
  throw new CannotStart(`${asked ? `« ${asked} » n'est pas compris. ` : ''}${listUsages()}`);
}

try {
  await run(process.argv.slice(2), interruption.signal);
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  // What was under way is not waited for.
  if (error instanceof Interrupted) process.exit(error.status);
  process.exitCode = 1;
}

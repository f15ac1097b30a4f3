import os from 'node:os';
import { CannotStart } from '#server/process/cannot-start.ts';
import { adminCreate } from './admin-create.ts';
import { adminReset } from './admin-reset.ts';
import { auditPrune } from './audit-prune.ts';
import { backup } from './backup.ts';
import type { Command } from './command.ts';
import { doctor } from './doctor/doctor.ts';
import { migrateDatabase } from './migrate-database.ts';
import { restoreBackup } from './restore-backup.ts';

/** `npm run guichet -- <command>`: each command by its one or two words. */
const commands: Record<string, Command> = {
  'admin create': { usage: 'admin create --phone +22670000000 [--name "Fatou Diallo"]', run: adminCreate },
  'admin reset': { usage: 'admin reset [--phone +22670000000]', run: adminReset },
  'audit prune': { usage: 'audit prune --older-than-days 400', run: auditPrune },
  backup: { usage: 'backup FICHIER [--force]', run: backup },
  doctor: { usage: 'doctor', run: doctor },
  migrate: { usage: 'migrate', run: migrateDatabase },
  restore: { usage: 'restore FICHIER [--force]', run: restoreBackup },
};

/** Why a command ended before its time: somebody told it to. */
class Interrupted extends CannotStart {
  /** As shells have it: 130 after Ctrl-C, 143 after SIGTERM. */
  readonly status: number;

  constructor(signal: NodeJS.Signals) {
    super('Interrompu.');
    this.status = 128 + os.constants.signals[signal];
  }
}

const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => stopping.abort(new Interrupted(signal)));

async function run(words: string[]): Promise<void> {
  for (const count of [2, 1]) {
    const name = words.slice(0, count).join(' ');
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command) return command.run(words.slice(count), stopping.signal);
  }
  const usages = Object.values(commands).map(({ usage }) => `  npm run guichet -- ${usage}`);
  const asked = words.slice(0, 2).join(' ');
  throw new CannotStart(`${asked ? `« ${asked} » n’est pas compris. ` : ''}Écrivez :\n${usages.join('\n')}`);
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  // What was under way is not waited for.
  if (error instanceof Interrupted) process.exit(error.status);
  process.exitCode = 1;
}

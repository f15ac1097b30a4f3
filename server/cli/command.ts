import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { CannotStart } from '#server/process/cannot-start.ts';

/** Runs the command with the arguments after its words; `signal` aborts when the user ends it. */
export type Command = (given: string[], signal: AbortSignal) => Promise<void>;

/** What was written after a command's words. Throws `CannotStart` with an example for what the command does not know. */
export function readArguments<Options extends ParseArgsOptionsConfig>(
  given: string[],
  { options, names = 0, example }: { options: Options; names?: number; example: string },
) {
  const parsed = parse(given, { options, allowPositionals: names > 0 });
  if (parsed && parsed.positionals.length === names) return parsed;
  const said = given.length > 0 ? `« ${given.join(' ')} » n'est pas compris. ` : '';
  throw new CannotStart(`${said}Écrivez par exemple : npm run guichet -- ${example}`);
}

function parse<Config extends { options: ParseArgsOptionsConfig; allowPositionals: boolean }>(
  args: string[],
  config: Config,
) {
  try {
    return parseArgs({ args, ...config });
  } catch {
    return undefined;
  }
}

import { expect } from 'vitest';
import { readEnvironment, UnreadableSetting } from '#server/process/environment.ts';

/** The sentence that settings are refused with. */
export function refusalOf(variables: NodeJS.ProcessEnv): string {
  try {
    readEnvironment(variables);
  } catch (error) {
    expect(error).toBeInstanceOf(UnreadableSetting);
    const { message } = error as Error;
    expect(message).toMatch(/^Le réglage .*\.$/s);
    return message;
  }
  throw new Error(`accepted: ${JSON.stringify(variables)}`);
}

import { callsAtOnce } from './limits.ts';

/** Applies `act` to each item, a few at a time. Returns the errors, in no order; `onDone` receives the progress. */
export async function mapConcurrent<T>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
  onDone: (count: number) => void,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  const waiting = [...items];
  let done = 0;
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      await act(item).catch((error: unknown) => failures.push(error));
      done += 1;
      onDone(done);
    }
  };
  await Promise.all(Array.from({ length: callsAtOnce }, work));
  return failures;
}

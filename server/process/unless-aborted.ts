/** Answers the result of the work, or throws the signal's reason at once, without waiting for the work. */
export async function unlessAborted<Result>(
  signal: AbortSignal | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const end = () => reject(signal?.reason);
  signal?.addEventListener('abort', end, { once: true });
  try {
    return await Promise.race([work(), aborted]);
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

/** What a bench is given. */
export interface Stage {
  /** What was typed after its name. */
  args: string[];
  ends: Ends;
}

type End = () => Promise<unknown> | unknown;

/** What has to end with a bench, however it ends: servers, databases, processes, folders. */
export class Ends {
  readonly #open = new Set<End>();
  #ending: Promise<void> | undefined;

  /** Remembers it; answers what ends it now, once. */
  add(end: End): () => Promise<void> {
    this.#open.add(end);
    return async () => {
      if (this.#open.delete(end)) await end();
    };
  }

  /** Ends everything, the newest first; what fails is told, and keeps nothing else from ending. Whoever comes second waits too. */
  all(): Promise<void> {
    this.#ending ??= this.#endAll();
    return this.#ending;
  }

  async #endAll(): Promise<void> {
    for (;;) {
      const end = [...this.#open].at(-1);
      if (!end) return;
      this.#open.delete(end);
      try {
        await end();
      } catch (error) {
        console.error(error);
      }
    }
  }
}

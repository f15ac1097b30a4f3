import { processes } from './fixture.ts';
import { type Barrier, Counter, checkBarrier } from './journal.ts';
import type { PolledAnswer, PollingClient } from './polling-client.ts';
import type { View } from './views.ts';

/** A caller that was refused comes back a little later. */
const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 10));

/** How far it is: whoever runs it again needs the seed, even where it never ends. */
export const say = (line: string) => process.stdout.write(`${line}\n`);

/** Judges every answer by what was acknowledged. */
export class InvariantChecker {
  readonly counters: Record<View['counter'], Counter> = {
    names: new Counter(),
    prices: new Counter(),
    tickets: new Counter(),
    read: new Counter(),
  };
  /** What is being done, for who reads of what is wrong. */
  doing = 'before any blow';
  /** Whether nothing is broken, so that nobody may be refused. */
  isCalm = true;
  /** What was answered that must not be. */
  readonly wrong: string[] = [];
  judged = 0;
  /** When the last call of each process was sent that was answered, one way or the other. */
  readonly askedAt = Array<number>(processes).fill(0);
  /** When the request was sent that each view of each process was last shown to, and with which value. */
  readonly #shown = Array.from({ length: processes }, () => new Map<View, { at: number; value: number }>());

  blame(process: number, what: string): void {
    this.wrong.push(`${this.doing}, process ${process}: ${what}`);
    if (this.wrong.length === 1) say(this.wrong[0] ?? '');
  }

  /** Whether this process has shown a view to a request that was sent after that time. */
  hasShown(process: number, view: View, since: number): boolean {
    return (this.#shown[process]?.get(view)?.at ?? 0) > since;
  }

  /** Refused calls are fine while something is broken, and only with BUSY or a connection that fails. */
  async refused(process: number, { status }: Pick<PolledAnswer, 'status'>, what: string): Promise<void> {
    if (status !== 0 && status !== 503) this.blame(process, `${what} answered ${status}`);
    else if (this.isCalm) this.blame(process, `${what} refused with ${status} though nothing is broken`);
    await pause();
  }

  /** Asks for a view; whoever polls asks for one after the other. */
  async ask(process: number, client: PollingClient, view: View, { polls = false } = {}): Promise<void> {
    const answer = await client.get(view.url, view.cookie);
    const { status, sentAt } = answer;
    this.askedAt[process] = sentAt;
    if (status !== 200 && status !== 304) return this.refused(process, answer, view.name);
    const value = view.valueOf(answer);
    const floor = this.counters[view.counter].floor(process, sentAt);
    this.judged += 1;
    if (value < floor)
      this.blame(process, `${view.name}: ${status} showed ${value}, ${floor} was acknowledged in time`);
    if (!polls) return;
    // What a process has shown it does not take back.
    const before = this.#shown[process]?.get(view)?.value ?? 0;
    if (value < before) this.blame(process, `${view.name}: ${value} after ${before}`);
    this.#shown[process]?.set(view, { at: sentAt, value });
  }

  async askGate(process: number, client: PollingClient, gate: Barrier): Promise<void> {
    const answer = await client.get(gate.url, gate.cookie);
    const { status, sentAt, doneAt } = answer;
    if (status === 0 || status === 503) return this.refused(process, answer, gate.name);
    this.judged += 1;
    const wrong = checkBarrier(gate, process, { status, sentAt, doneAt });
    if (wrong) this.blame(process, wrong);
  }
}

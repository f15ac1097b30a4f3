import fc from 'fast-check';
import { expect } from 'vitest';
import { eventually } from '#server/testing/eventually.ts';
import { endRights, makeBarriers } from './barriers.ts';
import { type Fault, faults, inject } from './faults.ts';
import { type Fixture, processes, startFixture } from './fixture.ts';
import { InvariantChecker, say } from './invariants.ts';
import type { Barrier } from './journal.ts';
import { PollingClient } from './polling-client.ts';
import { viewsOf } from './views.ts';
import { writeAll } from './writers.ts';

/** How soon the product is whole again once a cause has ended, on a machine that is busy with other tests. */
const wholeWithinMs = 20_000;
/** How long a round may take until all has been asked. */
const roundMs = 60_000;
/** Longer than an answer may be old. */
const tooOldMs = 1_200;
const every = Array.from({ length: processes }, (_, index) => index);

interface Fire {
  /** Rounds of all that can break. */
  rounds: number;
  /** Whether pgbouncer stands before PostgreSQL. */
  isPooled: boolean;
}

export interface Report {
  seed: number;
  /** What was answered that must not be. */
  wrong: string[];
  /** Answers that were judged; those of them that were 304. */
  judged: number;
  unchanged: number;
}

/** Writes and reads through three processes while things break, in an order that `FIRE_SEED` repeats; judges every answer. */
export async function runChaos({ rounds, isPooled }: Fire): Promise<Report> {
  const seed = Number(process.env.FIRE_SEED ?? 20261121);
  say(`FIRE_SEED=${seed}`);
  const order = fc.sample(fc.shuffledSubarray([...faults], { minLength: faults.length }), { seed, numRuns: rounds });
  const choices = fc.sample(fc.noShrink(fc.infiniteStream(fc.nat(processes - 1))), { seed, numRuns: 1 })[0];
  const world = await startFixture({ isPooled });
  const range = new Range(world, () => choices?.next().value ?? 0);
  try {
    await range.shoot(order.flat());
    await range.expectFromMemory();
  } finally {
    await range.end();
    await world.stop();
  }
  const { wrong, judged } = range.judge;
  return { seed, wrong, judged, unchanged: range.clients.reduce((sum, { unchanged }) => sum + unchanged, 0) };
}

/** Those who poll, those who write, and what is shot at them. */
class Range {
  readonly judge = new InvariantChecker();
  /** Of those who poll. */
  readonly clients: PollingClient[];
  readonly #writers: PollingClient[];
  readonly #world: Fixture;
  readonly #views: ReturnType<typeof viewsOf>;
  readonly #choose: () => number;
  #gates: Barrier[] = [];
  #goesOn = true;
  #everybody: Promise<unknown> = Promise.resolve();

  constructor(world: Fixture, choose: () => number) {
    this.#world = world;
    this.#choose = choose;
    this.#views = viewsOf(world);
    this.clients = world.ports.map((port) => new PollingClient(port));
    this.#writers = world.ports.map((port) => new PollingClient(port));
  }

  async shoot(all: readonly Fault[]): Promise<void> {
    this.#everybody = Promise.all([...this.clients.map((client, index) => this.#poll(index, client)), this.#write()]);
    // Whoever waits for the faults hears of it at once where somebody cannot go on.
    const broken = this.#everybody.then(() => {});
    await Promise.race([this.#untilShown(0, roundMs, 'shown'), broken]);
    for (const blow of all) await Promise.race([this.#round(blow), broken]);
    this.#goesOn = false;
    await broken;
  }

  async end(): Promise<void> {
    this.#goesOn = false;
    await this.#everybody.catch(() => {});
    for (const client of [...this.clients, ...this.#writers]) client.close();
  }

  async #poll(process: number, client: PollingClient): Promise<void> {
    while (this.#goesOn) {
      for (const view of this.#views) await this.judge.ask(process, client, view, { polls: true });
      for (const gate of this.#gates) await this.judge.askGate(process, client, gate);
    }
  }

  #write(): Promise<unknown> {
    return writeAll({
      world: this.#world,
      counters: this.judge.counters,
      clients: this.#writers,
      choose: this.#choose,
      refused: (process, answer, what) => this.judge.refused(process, answer, what),
      goesOn: () => this.#goesOn,
      readBack: async (process, counter) => {
        const client = this.#writers[process];
        for (const view of this.#views)
          if (client && view.counter === counter) await this.judge.ask(process, client, view);
      },
    });
  }

  #until(holds: () => boolean, _timeout: number, what: string): Promise<void> {
    const { doing, wrong } = this.judge;
    const because = () => [`${doing}: ${what}`, ...wrong.slice(0, 5)].join('\n');
    return eventually(() => expect(holds(), because()).toBe(true));
  }

  /** Until each process has shown all to requests that were sent after that time. */
  #untilShown(since: number, timeout: number, what: string): Promise<void> {
    const isShown = (index: number) => this.#views.every((view) => this.judge.hasShown(index, view, since));
    return this.#until(() => every.every(isShown), timeout, what);
  }

  /** One blow, and a right of each kind that ends meanwhile; until all is whole again and was judged. */
  async #round(blow: Fault): Promise<void> {
    const { judge } = this;
    const gates = await makeBarriers(this.#world);
    this.#gates = gates;
    await this.#until(() => gates.every(({ openAt }) => openAt.size === processes), roundMs, 'all are let in');
    judge.doing = blow;
    judge.isCalm = false;
    const began = performance.now();
    let isEnded = false;
    const ending = endRights(gates, { world: this.#world, clients: this.#writers, choose: this.#choose }).then(
      () => {
        isEnded = true;
      },
      (error: unknown) => judge.blame(-1, String(error)),
    );
    const untilAsked = (which: readonly number[]) =>
      this.#until(
        () => which.every((each) => (judge.askedAt[each] ?? 0) > began + tooOldMs),
        roundMs,
        'asked for longer than an answer may be old',
      );
    await inject(blow, this.#world, { untilAsked, one: this.#choose() });
    const ended = performance.now();
    await this.#untilShown(ended, wholeWithinMs, 'whole again');
    say(`${blow}: whole again after ${Math.round(performance.now() - ended)} ms, ${judge.judged} answers judged`);
    await this.#until(() => isEnded, roundMs, 'rights have ended');
    await ending;
    judge.doing = `after: ${blow}`;
    await this.#untilShown(Math.max(ended, ...gates.map(({ endedAt }) => endedAt)) + tooOldMs, roundMs, 'judged');
    judge.isCalm = true;
    await this.#until(() => gates.every(({ closedAt }) => closedAt.size === processes), roundMs, 'nobody is let in');
    this.#gates = [];
  }

  /** In the end all is answered from memory again: without a look at tables that nobody can look at. */
  async expectFromMemory(): Promise<void> {
    this.judge.doing = 'in the end';
    const tables = ['users', 'sessions', 'tickets', 'notifications', 'payment_types', 'services'];
    let missed: string | undefined = '';
    // What was written last may be heard between the first reading and the lock: then once more.
    for (let tries = 0; tries < 5; tries += 1) {
      for (const [index, client] of this.clients.entries())
        for (const view of this.#views) await this.judge.ask(index, client, view, { polls: true });
      missed = await this.#world.whileLocked(tables, () => this.#findWhatIsNotKept());
      if (!missed) return;
    }
    this.judge.wrong.push(missed ?? '');
  }

  async #findWhatIsNotKept(): Promise<string | undefined> {
    for (const [index, client] of this.clients.entries())
      for (const { name, url, cookie } of this.#views) {
        const { status } = await client.get(url, cookie);
        if (status !== 304) return `process ${index}: ${name} answered ${status}, and not from memory`;
      }
    return undefined;
  }
}

import { otpCoolDownSeconds, otpLifetimeSeconds, otpTries } from '#contract/auth.ts';
import { countries } from '#contract/phone.ts';
import { codeLimits, rateLimits } from '#server/process/limits.ts';
import { secondCodeLimits, sendingCaps } from '#server/process/sending-limits.ts';

/** What becomes of a code that is entered. */
export type Entered = 'accepted' | 'second' | 'wrong' | 'refused';

/** A browser that asks for codes of one number. */
export interface ModelBrowser {
  number: ModelNumber;
  isKnown: boolean;
  flow?: ModelFlow;
}

interface ModelNumber {
  codes: ModelCode[];
  failures: Map<string, { count: number; until: number }>;
}

interface ModelFlow {
  isKnown: boolean;
  begunAt: number;
  isClosed: boolean;
  isProven: boolean;
  codes: ModelCode[];
}

interface ModelCode {
  flow: ModelFlow;
  sentAt: number;
  isSecond: boolean;
  isSpent: boolean;
  tries: number;
}

/**
 * What the limits make of asking for and entering codes of one purpose, in memory and in its own time (`now`, in seconds), so that
 * months are played in a moment. Of callers with their cookie. `server/features/auth/code-model.slow.test.ts` holds it
 * to the real calls.
 */
export class CodeModel {
  now = 0;
  readonly #recent: ModelCode[] = [];
  readonly #cap: number;
  #sent = 0;
  #day = 0;

  /** `cap` bounds a day's messages; by default all that the seven countries' caps let go. */
  constructor(cap: number = countries.length * sendingCaps.perCountryAndDay) {
    this.#cap = cap;
  }

  /** A number that no code was sent to yet. */
  static number(): ModelNumber {
    return { codes: [], failures: new Map() };
  }

  /** Asks for a code; answers whether one was sent. */
  ask(browser: ModelBrowser): boolean {
    if (this.#secondsUntilNext(browser.number, false) > 0) return false;
    const { flow } = browser;
    const isOpen = flow && !flow.isClosed && this.now - flow.begunAt < codeLimits.daySeconds;
    const mine = isOpen
      ? flow
      : { isKnown: browser.isKnown, begunAt: this.now, isClosed: false, isProven: false, codes: [] };
    if (!this.#send(browser.number, mine, false)) return false;
    browser.flow = mine;
    return true;
  }

  /** Enters the right code, a wrong one, or once more the first, for which a second was sent. */
  enter(browser: ModelBrowser, what: 'right' | 'wrong' | 'first'): Entered {
    const { number, flow } = browser;
    if (!flow || flow.isClosed || this.now - flow.begunAt >= codeLimits.daySeconds) return 'wrong';
    const code = flow.codes.at(-1);
    if (!code || code.isSpent || code.tries >= otpTries || this.now - code.sentAt >= otpLifetimeSeconds) return 'wrong';
    if (what === 'first' && code.isSecond) return 'second';
    code.tries += 1;
    const key = flow.isKnown ? 'known' : '';
    if (!this.#takeFailure(number, key)) return 'refused';
    if (what !== 'right') return 'wrong';
    (number.failures.get(key) as { count: number }).count -= 1;
    if (this.suffices(browser) || code.isSecond) {
      flow.isProven = true;
      for (const each of number.codes) each.flow.isClosed = true;
      return 'accepted';
    }
    if (this.#secondsUntilNext(number, true) > 0 || !this.#send(number, flow, true)) return 'refused';
    return 'second';
  }

  /** Whether a right code that was just entered suffices. */
  suffices({ number, isKnown }: ModelBrowser): boolean {
    const { ofAll, ofNumber } = secondCodeLimits;
    return (isKnown || this.#countOfAll() <= ofAll) && this.#countOfNumber(number, isKnown) <= ofNumber;
  }

  #secondsUntilNext(number: ModelNumber, isSecond: boolean): number {
    const ofDay = number.codes.filter(({ sentAt }) => this.now - sentAt < codeLimits.daySeconds);
    const [first, last] = [ofDay[0], ofDay.at(-1)];
    if (!first || !last) return 0;
    if (ofDay.length >= codeLimits.perNumberAndDay) return first.sentAt + codeLimits.daySeconds - this.now;
    if (isSecond) return 0;
    const pause = otpCoolDownSeconds[Math.min(ofDay.length, otpCoolDownSeconds.length) - 1] as number;
    return Math.max(0, last.sentAt + pause - this.now);
  }

  #send(number: ModelNumber, flow: ModelFlow, isSecond: boolean): boolean {
    const day = Math.floor(this.now / codeLimits.daySeconds);
    if (day !== this.#day) {
      this.#sent = 0;
      this.#day = day;
    }
    if (this.#sent >= this.#cap) return false;
    this.#sent += 1;
    for (const each of flow.codes) each.isSpent = true;
    const code = { flow, sentAt: this.now, isSecond, isSpent: false, tries: 0 };
    for (const codes of [flow.codes, number.codes, this.#recent]) codes.push(code);
    return true;
  }

  #takeFailure(number: ModelNumber, key: string): boolean {
    const { points, seconds } = rateLimits.codesFailedPerPhone;
    let failures = number.failures.get(key);
    if (!failures || failures.until <= this.now) failures = { count: 0, until: this.now + seconds };
    number.failures.set(key, failures);
    failures.count += 1;
    return failures.count <= points;
  }

  #countOfAll(): number {
    const { ofAllSeconds } = secondCodeLimits;
    while (this.#recent[0] && this.now - this.#recent[0].sentAt >= ofAllSeconds) this.#recent.shift();
    return countTries(this.#recent, false);
  }

  #countOfNumber(number: ModelNumber, isKnown: boolean): number {
    return countTries(
      number.codes.filter(({ sentAt }) => this.now - sentAt < secondCodeLimits.ofNumberSeconds),
      isKnown,
    );
  }
}

function countTries(codes: readonly ModelCode[], isKnown: boolean): number {
  let count = 0;
  for (const { flow, tries } of codes) if (flow.isKnown === isKnown && !flow.isProven) count += tries;
  return count;
}

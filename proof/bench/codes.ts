import { otpLength, otpTries } from '../../contract/auth.ts';
import { codeLimits, rateLimits } from '../../server/process/limits.ts';
import { secondCodeLimits } from '../../server/process/sending-limits.ts';
import { CodeModel, type ModelBrowser } from '../../server/testing/code-model.ts';
import { seededRandom } from '../../server/testing/seeded-random.ts';
import { figure, type Rows, round } from './figures.ts';

const days = 30;
const codesThereAre = 10 ** otpLength;
const chanceOfOne = 1 / codesThereAre;
/** The same attackers and people each time. */
const random = seededRandom(1);
const day = codeLimits.daySeconds;

/** How somebody guesses whom no limit by address holds up: how many tries a day at the most, and at which numbers. */
interface Attack {
  triesPerDay: number;
  /** One number only, and not always another. */
  isOneNumber?: boolean;
}

/**
 * Plays an attack through the model of the limits: all of a day's tries at once, as soon as the last day's no longer count. Of ten
 * codes one is the attacker's own and entered. Answers whether somebody else's was entered, and the guesses.
 */
function attack({ triesPerDay, isOneNumber = false }: Attack): { hasEntered: boolean; guesses: number } {
  const model = new CodeModel();
  const victim = CodeModel.number();
  const begin = (number = CodeModel.number()): ModelBrowser => ({ number, isKnown: false });
  let guesses = 0;
  for (let today = 0; today <= days; today += 1) {
    model.now = today * (day + 1);
    let tries = 0;
    for (let codes = 0; tries < triesPerDay; codes += 1) {
      if (codes % 10 === 9) {
        const own = begin();
        if (model.ask(own) && model.enter(own, 'right') === 'second') model.enter(own, 'right');
      }
      const browser = begin(isOneNumber ? victim : undefined);
      // For the longest of the cool-downs, and the code after it.
      if (isOneNumber) model.now += 301;
      if (!model.ask(browser)) break;
      for (let nth = 0; nth < otpTries && tries < triesPerDay; nth += 1) {
        tries += 1;
        const entered = model.enter(browser, random(codesThereAre) === 0 ? 'right' : 'wrong');
        if (entered === 'accepted') return { hasEntered: true, guesses: guesses + tries };
        // The second code has tries of its own.
        if (entered === 'second') nth = -1;
        if (entered === 'refused') break;
      }
    }
    guesses += tries;
  }
  return { hasEntered: false, guesses };
}

function share(of: Attack, runs: number): { chance: number; guesses: number } {
  let entered = 0;
  let guesses = 0;
  for (let run = 0; run < runs; run += 1) {
    const result = attack(of);
    if (result.hasEntered) entered += 1;
    guesses = Math.max(guesses, result.guesses);
  }
  return { chance: entered / runs, guesses };
}

/** The chance of `single` guesses by one code, and of the others by two, whose second has three tries. */
function computed(single: number, all: number): number {
  const both = chanceOfOne * (1 - (1 - chanceOfOne) ** otpTries);
  return 1 - (1 - chanceOfOne) ** single * (1 - both) ** Math.max(0, all - single);
}

/**
 * A market's days: people ask at any time, some mistype, a few of those give up. Answers the share of those who entered a code and
 * needed no second one.
 */
function ordinary(people: number, playedDays: number): number {
  const model = new CodeModel();
  let entered = 0;
  let alone = 0;
  for (let person = 0; person < people * playedDays; person += 1) {
    model.now = (person / people) * day;
    const browser: ModelBrowser = { number: CodeModel.number(), isKnown: false };
    if (!model.ask(browser)) continue;
    if (random(100) < 15) {
      model.enter(browser, 'wrong');
      if (random(100) < 5) continue;
    }
    const answer = model.enter(browser, 'right');
    entered += 1;
    if (answer === 'accepted') alone += 1;
    else model.enter(browser, 'right');
  }
  return alone / entered;
}

const percent = (value: number) => round(value * 100);

/** What guessing at codes yields in 30 days with a thousand addresses and the default caps, and what people notice of what it meets. */
export async function measure(): Promise<Rows> {
  const single = secondCodeLimits.ofAll * (days + 1);
  const most = 1_000_000;
  const row = (of: Attack, runs: number, byOneCode: number, atMost?: number) => {
    const { chance, guesses } = share(of, runs);
    const more = { runs, guesses, 'computed %': percent(computed(byOneCode, guesses)) };
    return figure(chance * 100, atMost === undefined ? undefined : { atMost }, more);
  };
  const patient = { triesPerDay: secondCodeLimits.ofAll };
  return {
    "anybody's account, by 12 guesses a day (%)": row(patient, 20_000, single, 5),
    "anybody's account, with all that the caps send (%)": row({ triesPerDay: most }, 1_000, single, 5),
    'one given account, its owner signing in daily or never (%)': row(
      { triesPerDay: rateLimits.codesFailedPerPhone.points, isOneNumber: true },
      20_000,
      secondCodeLimits.ofNumber,
      0.2,
    ),
    'a number that is not theirs, at sign-up (%)': row(patient, 20_000, single, 5),
    'resets of an ordinary day that take one code only (%)': figure(ordinary(60, 3_000) * 100, {
      atLeast: 99.9,
    }),
    'sign-ups of an ordinary day that take one code only (%)': figure(ordinary(80, 3_000) * 100, {
      atLeast: 99.9,
    }),
  };
}

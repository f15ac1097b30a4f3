import { afterAll, beforeAll, expect, test } from 'vitest';
import { Failure, type FailureCode } from '#contract/failure.ts';
import { type Connection, connect } from '#server/database/connect.ts';
import { createLimits } from '#server/http/rate-limits.ts';
import { buildUser } from '#server/testing/builders.ts';
import { CodeModel, type Entered, type ModelBrowser } from '#server/testing/code-model.ts';
import { templateDatabase } from '#server/testing/global-setup.ts';
import { seededRandom } from '#server/testing/seeded-random.ts';
import { createDatabase } from '#server/testing/test-api.ts';
import type { AuthTools } from './codes.ts';
import { forgotPassword, verifyResetOtp } from './password-reset.ts';
import { countTry } from './second-code.ts';

let connection: Connection;
let tools: AuthTools;
beforeAll(async () => {
  const made = await createDatabase(`template ${templateDatabase}`);
  connection = connect(made.config, () => {});
  const { db, pool } = connection;
  await pool.query('insert into sms_settings (per_country_and_day) values (1000000)');
  // Resets hash nothing before a new password.
  const passwords = undefined as unknown as AuthTools['passwords'];
  const limits = createLimits(pool, true);
  tools = { db, limits, passwords, secret: 'a secret of this test', host: undefined, limited: true };
});
afterAll(() => connection.close());

/** A browser in both worlds. */
interface Player {
  phone: string;
  browser: ModelBrowser;
  flowId: string | undefined;
  /** Of each code that was sent for it. */
  codes: string[];
}

const outcomes: Partial<Record<FailureCode, Entered>> = {
  SECOND_CODE: 'second',
  CODE_INVALID: 'wrong',
  TOO_MANY: 'refused',
};
let calls = 0;
/** Each call comes from an address of its own, which says nothing about who asks. */
const askerOf = ({ browser }: Player) => {
  calls += 1;
  const address = `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}`;
  return { address, device: { id: 'x', accounts: [], knows: () => browser.isKnown } };
};

async function readCodes(player: Player): Promise<void> {
  const { rows } = await connection.pool.query(
    "select substring(body from '\\m\\d{4}\\M') as code from sms_messages where flow_id = $1 order by id",
    [player.flowId],
  );
  player.codes = rows.map(({ code }) => code);
}

async function ask(player: Player): Promise<boolean> {
  const browser = { flowId: player.flowId, key: undefined };
  try {
    const { flow } = await forgotPassword(tools, player.phone, browser, askerOf(player));
    player.flowId = flow.id;
    await readCodes(player);
    return true;
  } catch (error) {
    if (error instanceof Failure && error.code === 'TOO_MANY') return false;
    throw error;
  }
}

async function enter(player: Player, code: string): Promise<Entered> {
  const owner = { phone: player.phone, purpose: 'reset' as const, flowId: player.flowId };
  try {
    await verifyResetOtp(tools, owner, { code, key: undefined }, askerOf(player));
    return 'accepted';
  } catch (error) {
    const outcome = error instanceof Failure ? outcomes[error.code] : undefined;
    if (!outcome) throw error;
    if (outcome === 'second') await readCodes(player);
    return outcome;
  }
}

/** Moves everything that has a time into the past. */
const pass = (seconds: number) =>
  connection.pool.query(
    `do $$ begin
       update otp_flows set created_at = created_at - interval '${seconds} s';
       update otp_codes set created_at = created_at - interval '${seconds} s', expires_at = expires_at - interval '${seconds} s';
       update rate_limits set expire = expire - ${seconds}::bigint * 1000;
     end $$`,
  );

/** Seconds that pass before a step: long enough to make a difference, or none, since a test takes some itself. */
function pauseBefore(step: number, random: (below: number) => number): number {
  if (step % 600 === 599) return 777_777;
  if (step % 150 === 149) return 86_431;
  return random(10) > 0 ? 0 : random(10) > 0 ? 433 : 10_811;
}

test('the model of the codes says what the calls say, over months of asking, guessing and mistyping', async () => {
  const random = seededRandom(7);
  const model = new CodeModel(1_000_000);
  const players: Player[] = [];
  for (let number = 0; number < 3; number += 1) {
    const { phone } = await buildUser(tools.db);
    const modelled = CodeModel.number();
    for (const isKnown of [false, false, true])
      players.push({ phone, browser: { number: modelled, isKnown }, flowId: undefined, codes: [] });
  }
  const { rows } = await connection.pool.query('select extract(epoch from now())::float8 as at');
  let passed = 0;
  let player = players[0] as Player;
  const seen: Record<string, number> = {};
  for (let step = 0; step < 2_000; step += 1) {
    // Mostly whoever was at it, so that codes are entered while they live.
    if (random(10) < 3) player = players[random(players.length)] as Player;
    const seconds = pauseBefore(step, random);
    if (seconds > 0) await pass(seconds);
    passed += seconds;
    const clock = await connection.pool.query('select extract(epoch from clock_timestamp())::float8 as at');
    model.now = clock.rows[0].at - rows[0].at + passed;
    // Whoever has no cookie yet is a stranger, of whom the model knows nothing.
    if (random(10) < 3 || !player.flowId) {
      const expected = model.ask(player.browser);
      expect(await ask(player), `step ${step}: asking`).toBe(expected);
    } else {
      const [what, code] = chooseEntry(player, random);
      const expected = model.enter(player.browser, what);
      expect(await enter(player, code), `step ${step}: entering ${what}`).toBe(expected);
      // Also of a wrong one: whether the right one would have sufficed in its place.
      const { phone, browser } = player;
      const judged = await countTry(tools.db, { purpose: 'reset', phone, isKnown: browser.isKnown }, true);
      expect(judged, `step ${step}: judging`).toBe(model.suffices(browser));
      seen[expected] = (seen[expected] ?? 0) + 1;
    }
  }
  expect(Object.keys(seen).sort()).toEqual(['accepted', 'refused', 'second', 'wrong']);
});

/** The right code, the one before, or one that is neither. */
function chooseEntry({ codes }: Player, random: (below: number) => number): ['right' | 'wrong' | 'first', string] {
  const [right = '0000', before] = codes.toReversed();
  const kind = random(10);
  if (kind < 2) return ['right', right];
  if (kind < 4 && before !== undefined && before !== right) return ['first', before];
  const wrong = ['1111', '2222', '3333'].find((each) => each !== right && each !== before) as string;
  return ['wrong', wrong];
}

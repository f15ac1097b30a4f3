import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CapUse, hasRoom, listShut, type SmsClass, smsClasses } from './caps.ts';

const empty = { queued: 0, signup: 0, trusted: 0, decision: 0 };

/** Sends what has room of these, alarms and tests always; answers what became of the day. */
function play(use: CapUse, messages: readonly (SmsClass | 'alarm')[]): CapUse {
  const after = { ...use };
  for (const each of messages) {
    if (each !== 'alarm' && !hasRoom(after, each)) continue;
    after.queued += 1;
    if (each !== 'alarm') after[each] += 1;
  }
  return after;
}

const caps = fc.record({ cap: fc.integer({ min: 0, max: 400 }), sendsDecisions: fc.boolean() });
const senders = (...of: (SmsClass | 'alarm')[]) => fc.array(fc.constantFrom(...of), { maxLength: 600 });
const partOf = (cap: number, percent: number) => Math.floor((cap * percent) / 100);

test('no cap is exceeded, in whatever order messages come, but by alarms alone', () => {
  fc.assert(
    fc.property(caps, senders(...smsClasses), senders('alarm'), (set, messages, alarms) => {
      expect(play({ ...empty, ...set }, messages).queued).toBeLessThanOrEqual(set.cap);
      const { queued } = play(play({ ...empty, ...set }, alarms), messages);
      expect(queued).toBeLessThanOrEqual(Math.max(set.cap, alarms.length));
    }),
  );
});

test('whatever the others sent, each class has what is kept for it', () => {
  fc.assert(
    fc.property(caps, fc.constantFrom(...smsClasses), senders(...smsClasses), ({ cap, ...rest }, mine, messages) => {
      const others = messages.filter((each) => each !== mine);
      const kept = { signup: 15, trusted: 15, decision: rest.sendsDecisions ? 20 : 0 }[mine];
      const after = play(
        play({ ...empty, cap, ...rest }, others),
        Array.from({ length: 400 }, () => mine),
      );
      expect(after[mine]).toBeGreaterThanOrEqual(partOf(cap, kept));
    }),
  );
});

test('all together use a cap up to its last message, which is where every class is shut', () => {
  fc.assert(
    fc.property(caps, senders(...smsClasses), (set, messages) => {
      const everyone = Array.from({ length: 400 }, () => smsClasses).flat();
      const after = play(play({ ...empty, ...set }, messages), everyone);
      expect(after.queued).toBe(set.cap);
      expect(smsClasses.filter((each) => hasRoom(after, each))).toEqual([]);
    }),
  );
});

describe('of a cap of 100', () => {
  const sendAll = (mine: SmsClass, sendsDecisions: boolean) =>
    play(
      { ...empty, cap: 100, sendsDecisions },
      Array.from({ length: 200 }, () => mine),
    );

  test.each([
    ['signup', true, 65],
    ['trusted', true, 65],
    ['decision', true, 70],
    ['signup', false, 85],
  ] as const)('%s alone, decisions sent: %s, sends %i', (mine, sendsDecisions, sent) => {
    const after = sendAll(mine, sendsDecisions);
    expect(after.queued).toBe(sent);
    expect(listShut(after)).toEqual([mine]);
  });
});

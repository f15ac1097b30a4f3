import { expect, test } from 'vitest';
import type { ReadMessage } from '#contract/payments.ts';
import { makeMessages, type SyntheticMessage } from '#server/testing/payment-messages.ts';
import { isSaidBy, mutateMessages } from '#server/testing/payment-mutations.ts';
import type { Paid } from '#server/testing/payment-sms.ts';
import { openOperators } from './open-operators.ts';
import { readMessage } from './read-message.ts';
import { splitMessages } from './split-messages.ts';

// Messages that were written without a look at the operators' files: what these read is no fixture of theirs.
const operators = openOperators();

const ways: Record<string, (message: SyntheticMessage) => ReadMessage[]> = {
  pasted: ({ text, country }) => {
    const context = { operators, country };
    return splitMessages(text, context).map((each) => readMessage(each, context));
  },
  forwarded: ({ text, country, sender }) => [readMessage(text, { operators, country, sender })],
};

function isSaid({ gross, reference, payer, balanceAfter }: ReadMessage, told: Paid): boolean {
  const by = (digits: string | null | undefined) => digits?.replace(/\D/g, '').slice(-8);
  return (
    gross === told.gross &&
    (reference ?? null) === told.reference &&
    by(payer ?? null) === by(told.payer) &&
    (balanceAfter ?? null) === told.balance
  );
}

const isReceived = ({ kind, direction }: ReadMessage) => kind === 'payment' && (direction ?? 'in') === 'in';

test.each(Object.entries(ways))(
  'of 400 messages of no parser’s author, %s, no other one becomes a payment, and 99 in 100 are whole',
  (_, read) => {
    const messages = makeMessages(20261124);
    const spell = ({ shape, text }: SyntheticMessage) => `${shape}: ${text.slice(0, 300)}`;
    const receivedOf = new Map(messages.map((message) => [message, read(message).filter(isReceived)]));
    const wrong = messages.filter((message) =>
      receivedOf.get(message)?.some((each) => !message.told.some((told) => isSaid(each, told))),
    );
    expect(wrong.map(spell)).toEqual([]);
    const payments = messages.filter(({ isPayment }) => isPayment);
    const missed = payments.filter((message) => receivedOf.get(message)?.length !== 1);
    expect((payments.length - missed.length) / payments.length, missed.map(spell).join('\n')).toBeGreaterThanOrEqual(
      0.99,
    );
  },
);

test('of 3,000 messages that are changed on their way, none is read as a payment that it does not say', () => {
  const wrong = [...mutateMessages(20261128, 3_000)].filter((mutant) => {
    const read = readMessage(mutant.text, { operators, country: mutant.country, sender: mutant.sender });
    return isReceived(read) && !isSaidBy(mutant, read);
  });
  expect(wrong.map(({ how, text }) => `${how}: ${text}`)).toEqual([]);
});

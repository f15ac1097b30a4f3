import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ReadMessage } from '#contract/payments.ts';
import { openOperators } from '#server/features/payment-feed/operators/open-operators.ts';
import { readMessage } from '#server/features/payment-feed/operators/read-message.ts';
import { buildAdmin, buildPaymentType } from '#server/testing/builders.ts';
import { makeMessages, type SyntheticMessage } from '#server/testing/payment-messages.ts';
import type { Paid } from '#server/testing/payment-sms.ts';
import { startTestApi, type TestApi, type TestClient } from '#server/testing/test-api.ts';

// Messages by the research page alone, of which the operators' files know nothing: what these read is no fixture of theirs.
const seeds = [20261124, 7, 1990];

let api: TestApi;
let admin: TestClient;
beforeAll(async () => {
  api = await startTestApi();
  admin = (await buildAdmin(api)).client;
});
afterAll(() => api.close());

type Reader = (message: SyntheticMessage) => Promise<ReadMessage[]>;

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

/** How many were read whole, and which messages became a payment that they are not, or were not read. */
async function judge(messages: readonly SyntheticMessage[], read: Reader) {
  const missed: string[] = [];
  const wrong: string[] = [];
  for (const message of messages) {
    const received = (await read(message)).filter(isReceived);
    const spell = () => `${message.shape}: ${JSON.stringify(message.text.slice(0, 300))} ${JSON.stringify(received)}`;
    if (received.some((each) => !message.told.some((told) => isSaid(each, told)))) wrong.push(spell());
    if (message.isPayment && received.length !== 1) missed.push(spell());
  }
  const payments = messages.filter(({ isPayment }) => isPayment).length;
  return { payments, others: messages.length - payments, missed, wrong };
}

test.each(seeds)(
  'of 400 messages of no parser’s author (%i) no other one becomes a payment, and 99 % are whole',
  async (seed) => {
    const messages = makeMessages(seed);
    const operators = openOperators();
    const accounts = new Map<string, number>();
    for (const country of new Set(messages.map((message) => message.country))) {
      const { id: paymentTypeId } = await buildPaymentType(api.db, `Portefeuille ${country} ${seed}`);
      const fields = { paymentTypeId, country, number: '1', label: `Caisse ${country}`, allowedSenders: [] };
      accounts.set(country, (await admin.post('/api/admin/payments/accounts', fields)).body.id);
    }
    const readers: Record<string, Reader> = {
      'pasted, by the API': async ({ text, country }) => {
        const answer = await admin.post('/api/admin/payments/read', { text, accountId: accounts.get(country) });
        // Control characters and what is longer than ten messages are refused whole.
        if (answer.status === 400) return [];
        if (answer.status !== 200) throw new Error(`${answer.status} ${JSON.stringify(answer.body)}`);
        return answer.body.messages;
      },
      'forwarded, as the feed reads it': async ({ text, country, sender }) => [
        readMessage(text, { operators, country, sender }),
      ],
    };
    for (const [way, read] of Object.entries(readers)) {
      const { payments, others, missed, wrong } = await judge(messages, read);
      const share = (payments - missed.length) / payments;
      expect.soft(wrong, `${way}: false payments among ${payments} and ${others} others`).toEqual([]);
      expect.soft(share, `${way}: not read whole: ${missed.join(', ')}`).toBeGreaterThanOrEqual(0.99);
    }
  },
);

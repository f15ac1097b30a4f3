import { Failure } from '#contract/failure.ts';
import { defaultCountryCode, maskPhone, readPhone } from '#contract/phone.ts';
import { queueSms } from '#server/features/sms/store.ts';
import type { AuditedWrite } from '#server/http/audited-write.ts';
import { panelSmsLimits } from '#server/process/sending-limits.ts';

/** Every character is of the GSM-7 alphabet. */
const testText = "Guichet : ceci est un message d'essai. Si vous le lisez, l'envoi de SMS fonctionne.";

/** Queues a test message, beyond the day's caps if need be. Throws PHONE_INVALID. */
export async function sendTestSms(
  write: AuditedWrite,
  typedPhone: string,
  { countTest, limited }: { countTest: () => Promise<void>; limited: boolean },
): Promise<void> {
  const phone = readPhone(typedPhone, defaultCountryCode);
  if ('problem' in phone) throw new Failure('PHONE_INVALID', { message: phone.problem });
  await countTest();
  await write(async (tx, note) => {
    note({ details: { number: maskPhone(phone.e164) } });
    const lifetimeSeconds = panelSmsLimits.testLifetimeSeconds;
    await queueSms(tx, { to: phone.e164, text: testText, kind: 'test', lifetimeSeconds }, { limited });
  });
}

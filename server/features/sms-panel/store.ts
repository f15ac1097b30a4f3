import { asc, desc, isNotNull, sql } from 'drizzle-orm';
import type { SmsSettingsForm } from '#contract/sms-panel.ts';
import { nextVersion } from '#server/database/columns.ts';
import type { Db } from '#server/database/connect.ts';
import { smsGateways, smsMessages, smsSettings } from '#server/features/sms/tables.ts';
import { panelSmsLimits, sendingCaps } from '#server/process/sending-limits.ts';

export type GatewayRow = typeof smsGateways.$inferSelect;
export type DeliveryRow = Omit<
  typeof smsMessages.$inferSelect,
  | 'body'
  | 'reference'
  | 'flowId'
  | 'isTrusted'
  | 'sourceAddress'
  | 'sourceNetwork'
  | 'gatewayId'
  | 'doubtful'
  | 'convertedAt'
  | 'attempts'
  | 'jobId'
  | 'dropAfter'
>;
/** What is set, and since when: null while nothing is. */
export type SettingsRow = SmsSettingsForm & { updatedAt: Date | null };

/** The gateways that are set, in the order in which the settings name them. */
export async function listGateways(db: Db): Promise<GatewayRow[]> {
  return db.select().from(smsGateways).where(isNotNull(smsGateways.position)).orderBy(asc(smsGateways.position));
}

/** The last messages, newest first; what they said is not read. */
export async function listDeliveries(db: Db): Promise<DeliveryRow[]> {
  const { id, recipient, kind, status, provider, failure, delivery, deliveredAt, sentAt, createdAt } = smsMessages;
  return db
    .select({ id, recipient, kind, status, provider, failure, delivery, deliveredAt, sentAt, createdAt })
    .from(smsMessages)
    .orderBy(desc(smsMessages.id))
    .limit(panelSmsLimits.deliveries);
}

/** What is set; until somebody sets something, what holds without. */
export async function readSettings(db: Db): Promise<SettingsRow> {
  const { perDay, perCountryAndDay, onDecision, updatedAt } = smsSettings;
  const [row] = await db.select({ perDay, perCountryAndDay, onDecision, updatedAt }).from(smsSettings);
  const { perDay: all, perCountryAndDay: each } = sendingCaps;
  return row ?? { perDay: all, perCountryAndDay: each, onDecision: false, updatedAt: null };
}

/** As `readSettings`, and nobody else changes them until the transaction ends; they can be read meanwhile. */
export async function lockSettings(tx: Db): Promise<SettingsRow> {
  await tx.execute(sql`lock table ${smsSettings} in share row exclusive mode`);
  return readSettings(tx);
}

export async function writeSettings(tx: Db, settings: SmsSettingsForm): Promise<SettingsRow> {
  const set = { ...settings, updatedAt: nextVersion(smsSettings.updatedAt) };
  await tx.insert(smsSettings).values(settings).onConflictDoUpdate({ target: smsSettings.id, set });
  return readSettings(tx);
}

import type { Notification } from '#contract/notifications.ts';

const pictures: Record<Notification['type'], string> = { success: '✅', error: '❌', warning: '⚠️', info: 'ℹ️' };

export function notificationPicture(type: Notification['type']): string {
  return pictures[type];
}

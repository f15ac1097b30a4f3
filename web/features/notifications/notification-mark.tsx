import type { ComponentProps } from 'react';
import type { Notification } from '#contract/notifications.ts';
import { CheckIcon, InfoIcon } from '#web/ui/action-icons.tsx';
import { CrossIcon, WarningIcon } from '#web/ui/control-icons.tsx';
import { IconTile } from '#web/ui/icon-tile.tsx';

const marks: Record<Notification['type'], ComponentProps<typeof IconTile>> = {
  success: { Icon: CheckIcon, tone: 'green' },
  error: { Icon: CrossIcon, tone: 'red' },
  warning: { Icon: WarningIcon, tone: 'amber' },
  info: { Icon: InfoIcon, tone: 'blue' },
};

/** An icon for the kind of a notification. */
export function NotificationMark({ type }: { type: Notification['type'] }) {
  const { Icon, tone } = marks[type];
  return <IconTile Icon={Icon} tone={tone} />;
}

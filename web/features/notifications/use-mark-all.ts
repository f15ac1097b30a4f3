import { useState } from 'react';
import { countUnread, listNotifications, markNotificationRead } from '#contract/notifications.ts';
import { mapConcurrent } from '#web/api/map-concurrent.ts';
import { useCall } from '#web/api/use-call.ts';
import { useRefresh } from '#web/api/use-endpoint.ts';
import { useReplaceRows } from '#web/api/use-list.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useToast } from '#web/ui/toast.tsx';

const pageRows = 100;

/**
 * Marks every unread notification of a person read, beyond the displayed rows too. It makes one call each (P10.3), a
 * few at a time; `progress` counts them.
 */
export function useMarkAll(userId: number) {
  const call = useCall();
  const refresh = useRefresh();
  const replace = useReplaceRows(listNotifications);
  const toast = useToast();
  const toastFailure = useFailureToast();
  const [progress, setProgress] = useState<{ done: number; total: number }>();

  async function listUnreadIds(): Promise<number[]> {
    const ids: number[] = [];
    for (let before: number | undefined; ; ) {
      const page = await call(listNotifications, {
        params: { userId: String(userId) },
        query: { limit: String(pageRows), ...(before && { before: String(before) }) },
      });
      ids.push(...page.filter((each) => !each.isRead).map((each) => each.id));
      if (page.length < pageRows) return ids;
      before = page.at(-1)?.id;
    }
  }

  const { run, busy } = useAction(async () => {
    const fallback = 'Impossible de marquer la notification comme lue.';
    try {
      const ids = await listUnreadIds();
      const total = ids.length;
      setProgress({ done: 0, total });
      const failures = await mapConcurrent(
        ids,
        async (id) => replace([await call(markNotificationRead, { params: { id: String(id) } })]),
        (done) => setProgress({ done, total }),
      );
      const failed = failures.length;
      if (failed === 0) toast({ title: 'Notifications lues', description: marked(total) });
      else toastFailure(failures[0], { fallback, prefix: `${failed} sur ${total} non marquées comme lues.` });
    } catch (error) {
      toastFailure(error, { fallback });
    }
    setProgress(undefined);
    await refresh(listNotifications, countUnread);
  });
  return { run, busy, progress };
}

const marked = (count: number) =>
  count === 1 ? '1 notification marquée comme lue.' : `${count} notifications marquées comme lues.`;

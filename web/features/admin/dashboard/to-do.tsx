import type { Dashboard } from '#contract/dashboard.ts';
import type { ResponseOf } from '#contract/endpoint.ts';
import { type countProposals, proposalsAtOnce } from '#contract/payments.ts';
import { closingAddress, incomingPaymentsAddress, ticketQueueAddress } from '#web/admin-addresses.ts';
import { usePendingCount } from '#web/features/admin/shared/use-pending-count.ts';
import { Link } from '#web/router.tsx';
import { formatCalendarDay, formatCount } from '#web/text/formats.ts';
import { formatWait } from '#web/text/waiting.ts';
import { buttonClass } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';
import { useNow } from '#web/ui/use-now.ts';

interface Task {
  count: number;
  /** Of one, and of several. */
  words: [one: string, several: string];
  /** More than the count. */
  andMore?: boolean;
  since: string | undefined;
  act: string;
  href: string;
}

/** What waits for a person: how many, since when, and the way there. */
export function ToDo({
  figures,
  payments,
}: {
  figures: Dashboard;
  payments: ResponseOf<typeof countProposals> | undefined;
}) {
  const now = useNow();
  const pending = usePendingCount() ?? figures.tickets.pending;
  const { found = 0, oldestFound, unread = 0, oldestUnread } = payments ?? {};
  const { unsigned, oldestPending } = figures;
  const waits = (since: string | null | undefined) => (since ? `depuis ${formatWait(since, now)}` : undefined);
  const tasks: Task[] = [
    {
      count: pending,
      words: ['ticket en attente', 'tickets en attente'],
      since: waits(oldestPending),
      act: "Ouvrir la file d'attente",
      href: ticketQueueAddress,
    },
    {
      count: found,
      andMore: found >= proposalsAtOnce,
      words: ['paiement trouvé', 'paiements trouvés'],
      since: waits(oldestFound),
      act: 'Voir les paiements',
      href: incomingPaymentsAddress(),
    },
    {
      count: unread,
      words: ['message non lu', 'messages non lus'],
      since: waits(oldestUnread),
      act: 'Lire les messages',
      href: incomingPaymentsAddress('non-lus'),
    },
    {
      count: unsigned.count,
      words: ['journée à signer', 'journées à signer'],
      since: unsigned.oldest ? `depuis le ${formatCalendarDay(unsigned.oldest.day).long}` : undefined,
      act: 'Voir la journée',
      href: closingAddress(unsigned.oldest),
    },
  ];
  return (
    <Card className="py-2! lg:col-span-4">
      <h2 className="sr-only">À faire</h2>
      <ul aria-label="À faire" className="divide-y divide-line">
        {tasks.map((task) => (
          <TaskLine key={task.act} {...task} />
        ))}
      </ul>
    </Card>
  );
}

function TaskLine({ count, words: [one, several], andMore, since, act, href }: Task) {
  const isWaiting = count > 0;
  return (
    <li className="flex min-h-13 flex-wrap items-center gap-x-4 gap-y-1 py-1">
      <p className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
        <span
          className={join(
            'min-w-8 font-bold font-display text-title tabular-nums',
            isWaiting ? 'text-amber' : 'font-normal text-soft',
          )}
        >
          {`${formatCount(count)}${andMore ? '+' : ''}`}
        </span>
        <span className={isWaiting ? 'font-semibold' : 'text-soft'}>{count < 2 ? one : several}</span>
        {isWaiting && since && <span className="text-small text-soft">{since}</span>}
      </p>
      {isWaiting && (
        <Link href={href} className={buttonClass({ variant: 'plain', small: true }, 'min-h-11! px-3! lg:min-h-9!')}>
          {act}
        </Link>
      )}
    </li>
  );
}

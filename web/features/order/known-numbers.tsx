import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { formatPhone } from '#contract/phone.ts';
import { listUserTickets } from '#contract/tickets.ts';
import type { User } from '#contract/users.ts';
import { useList } from '#web/api/use-list.ts';
import { useBeneficiaries } from '#web/session/beneficiaries.tsx';
import { join } from '#web/ui/join.ts';

/** Earlier numbers without a name. */
const offered = 5;

/** Pixels at the ends of the line that fade, since more may follow. */
const fade = 16;

/** The own number, those with names, the last used first, and earlier ones, on one scrolling line: late ones move nothing. */
export function KnownNumbers({
  user,
  chosen,
  onChoose,
}: {
  user: User;
  chosen: string | undefined;
  onChoose: (e164: string) => void;
}) {
  const tickets = useList(listUserTickets, { params: { userId: String(user.id) } }, { keep: true });
  const named = useBeneficiaries();
  // Names that come late would take the place of a number under a finger.
  const isKnown = named.data !== undefined || named.isError || named.isPaused;
  const names = new Map(named.data?.map(({ phone, name }) => [phone, name]));
  const numbers = new Set(tickets.data?.rows.map((ticket) => ticket.beneficiaryPhoneNumber));
  const used = [...numbers].filter((e164) => e164 !== user.phone);
  const recent = used.filter((e164) => names.has(e164));
  const others = [...names.keys()].filter((e164) => !recent.includes(e164));
  const nameless = used.filter((e164) => !names.has(e164)).slice(0, offered);
  const short = (e164: string) =>
    e164.startsWith(user.countryCode) ? formatPhone(e164).slice(user.countryCode.length + 1) : formatPhone(e164);
  const rest = isKnown ? [...recent, ...others, ...nameless].filter((e164) => e164 !== user.phone) : [];
  const line = useRef<HTMLUListElement>(null);
  // The chosen one is in sight, also where names that came late made others wider.
  const layout = [chosen, ...rest.map((e164) => names.get(e164) ?? e164)].join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the layout says what is where
  useLayoutEffect(() => {
    const chip = line.current?.querySelector<HTMLElement>('[aria-pressed=true]');
    const box = chip?.getBoundingClientRect();
    const room = line.current?.getBoundingClientRect();
    if (!line.current || !box || !room) return;
    const beyond = Math.max(box.right - room.right + fade, 0) || Math.min(box.left - room.left - fade, 0);
    line.current.scrollLeft += beyond;
  }, [layout]);
  return (
    <ul
      ref={line}
      aria-label="Numéros déjà utilisés"
      className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1 [mask-image:linear-gradient(to_right,transparent,#000_1rem,#000_calc(100%-1rem),transparent)] [scrollbar-width:none]"
    >
      <NumberChip isChosen={user.phone === chosen} onChoose={() => onChoose(user.phone)}>
        Pour moi
      </NumberChip>
      {rest.map((e164) => {
        const name = names.get(e164);
        const spoken = name ? {} : { label: `Pour le ${formatPhone(e164)}` };
        return (
          <NumberChip key={e164} isChosen={e164 === chosen} {...spoken} onChoose={() => onChoose(e164)}>
            {name && (
              <span className="block max-w-40 truncate font-semibold leading-tight">
                <span className="sr-only">Pour </span>
                {name}
              </span>
            )}
            <span className={join(name && 'block text-small leading-tight')}>{short(e164)}</span>
          </NumberChip>
        );
      })}
    </ul>
  );
}

function NumberChip({
  isChosen,
  label,
  onChoose,
  children,
}: {
  isChosen: boolean;
  label?: string;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <li className="shrink-0">
      <button
        type="button"
        aria-pressed={isChosen}
        aria-label={label}
        onClick={onChoose}
        className={join(
          'min-h-11 rounded-full border bg-card px-3.5 text-left text-body tabular-nums',
          isChosen ? 'border-leaf bg-leaf-pale font-semibold text-leaf-dark' : 'border-edge',
        )}
      >
        {children}
      </button>
    </li>
  );
}

import { cardClass } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';

const lines = ['h-4 w-1/2', 'h-4 w-1/5', 'h-3 w-2/3'];
const last = 'order-1 mt-3 h-4 w-1/3 lg:order-none';
const waiting = [
  'mr-auto h-3 w-3/5',
  `${last} lg:mt-0.5`,
  'mt-1.5 h-15 w-full short:w-1/2 lg:mt-0.5 lg:h-13 lg:w-2/5',
  'h-12 w-2/5 grow short:w-1/5 lg:w-20',
  'h-12 w-2/5 short:w-1/5 lg:w-20 grow',
];

/** Placeholders of the tickets in their final size: one that waits, with its code and buttons, then decided ones. */
export function TicketsSkeleton({ text }: { text: string }) {
  return (
    <div role="status">
      <ul className="breathe flex flex-col gap-2.5" aria-hidden="true">
        <li className="mt-0.75 h-3.5 w-20 rounded bg-line" />
        {[0, 1, 2].map((card) => (
          <li key={card} className={join(cardClass, 'flex flex-wrap items-center justify-between gap-2.5 p-3.5')}>
            {[...lines, ...(card === 0 ? waiting : [last])].map((bone) => (
              <span key={bone} className={join('rounded bg-line', bone)} />
            ))}
          </li>
        ))}
      </ul>
      <p className="mt-2 text-center text-soft text-sm">{text}</p>
    </div>
  );
}

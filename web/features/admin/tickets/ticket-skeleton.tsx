import { cardClass } from '#web/ui/card.tsx';
import { join } from '#web/ui/join.ts';
import { useWide } from '#web/ui/use-wide.ts';

const bone = 'rounded bg-line';
const places = (count: number) => Array.from({ length: count }, (_, place) => place);

/** The shapes of what comes: the table of the tickets, or the cards of a narrow screen. */
export function TicketSkeleton({ text }: { text: string }) {
  const isWide = useWide(72);
  return (
    <div role="status">
      <div aria-hidden="true" className="breathe">
        {isWide ? <TableShape /> : <CardShapes />}
      </div>
      <p className="mt-3 text-soft">{text}</p>
    </div>
  );
}

const columns = 'grid grid-cols-[3fr_5fr_12fr_14fr_12fr_9fr_9fr_8fr_14fr_15fr] items-center gap-3 px-3';

function TableShape() {
  return (
    <div className={join(cardClass, 'divide-y divide-line')}>
      <div className={join(columns, 'h-12.5')}>
        {places(10).map((column) => (
          <span key={column} className={join(bone, column === 0 ? 'size-5' : 'h-3 w-2/3')} />
        ))}
      </div>
      {places(8).map((row) => (
        <div key={row} className={join(columns, 'h-14')}>
          <span className={join(bone, 'size-5')} />
          {places(8).map((column) => (
            <span key={column} className={join(bone, 'h-3.5')} />
          ))}
          <span className={join(bone, 'h-9 rounded-lg')} />
        </div>
      ))}
    </div>
  );
}

function CardShapes() {
  return (
    <>
      <span className={join(bone, 'mb-3 block h-5 w-32')} />
      <div className="flex flex-col gap-2.5">
        {places(3).map((card) => (
          <div key={card} className={join(cardClass, 'p-3.5 sm:flex sm:items-center sm:gap-6')}>
            <div className="flex flex-1 flex-col gap-2.5">
              <span className={join(bone, 'h-6 w-1/2')} />
              <span className={join(bone, 'h-10 w-2/3')} />
              <span className={join(bone, 'h-4 w-5/6')} />
            </div>
            <div className="mt-3 flex gap-2 sm:mt-0 sm:w-56">
              <span className={join(bone, 'h-12 flex-1 rounded-xl')} />
              <span className={join(bone, 'h-12 flex-1 rounded-xl')} />
            </div>
          </div>
        ))}
      </div>
    </>
  );
}

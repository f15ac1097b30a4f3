import type { AdminTicket } from '#contract/tickets.ts';
import { formatAmount, formatCount } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';

/** What is chosen, and the decisions of all of it. */
export function ChoiceBar({
  chosen,
  busy,
  onApprove,
  onReject,
  onClear,
}: {
  chosen: readonly AdminTicket[];
  busy: boolean;
  onApprove: () => void;
  onReject: () => void;
  onClear: () => void;
}) {
  const count = chosen.length;
  const sum = chosen.reduce((francs, { totalPrice }) => francs + Number(totalPrice), 0);
  const services = new Set(chosen.map(({ servicePath }) => servicePath.at(-1)?.name));
  return (
    <section
      aria-label="Tickets sélectionnés"
      className="sticky top-14 short:top-0 z-20 mb-3 flex flex-wrap items-center gap-2 rounded-card border border-leaf/30 bg-leaf-pale px-3.5 py-2 lg:top-0"
    >
      <p role="status" className="flex flex-1 flex-wrap gap-x-3 tabular-nums">
        <strong className="whitespace-nowrap font-semibold">
          {`${formatCount(count)} sélectionné${count > 1 ? 's' : ''}`}
        </strong>
        <span className="max-sm:text-sm">
          <span className="whitespace-nowrap">{formatAmount(sum)}</span> ·{' '}
          <span className="whitespace-nowrap">
            {`${formatCount(services.size)} service${services.size > 1 ? 's' : ''}`}
          </span>
        </span>
      </p>
      <Button variant="quiet" small onClick={onClear}>
        Désélectionner
      </Button>
      <Button small className="grow max-sm:basis-[45%] sm:grow-0" busy={busy} onClick={onApprove}>
        Approuver
      </Button>
      <Button variant="danger" small className="grow max-sm:basis-[45%] sm:grow-0" busy={busy} onClick={onReject}>
        Rejeter
      </Button>
    </section>
  );
}

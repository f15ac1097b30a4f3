import type { AdminTicket } from '#contract/tickets.ts';
import { deliberate } from '#web/features/admin/shared/deliberate.ts';
import { sumOf } from '#web/features/admin/shared/send-decision.ts';
import { formatAmount, formatCounted } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import { CrossIcon } from '#web/ui/control-icons.tsx';

/** What is chosen, and the decisions of all of it. */
export function ChoiceBar({
  chosen,
  onApprove,
  onReject,
  onClear,
}: {
  chosen: readonly AdminTicket[];
  onApprove: () => void;
  onReject: () => void;
  onClear: () => void;
}) {
  const services = new Set(chosen.map(({ servicePath }) => servicePath.at(-1)?.name));
  return (
    <section
      aria-label="Tickets sélectionnés"
      className="@container flex min-h-full flex-wrap items-center gap-x-2 gap-y-1.5 bg-leaf-pale px-3 py-1"
    >
      <p role="status" className="flex flex-1 flex-wrap gap-x-3 text-body tabular-nums">
        <strong className="whitespace-nowrap font-semibold">{formatCounted(chosen.length, 'sélectionné')}</strong>
        <span className="whitespace-nowrap @max-[19rem]:hidden">{formatCounted(services.size, 'service')}</span>
      </p>
      <Button variant="quiet" small onClick={onClear}>
        <span className="@max-[19rem]:sr-only">Désélectionner</span>
        <CrossIcon className="size-5 @min-[19rem]:hidden" />
      </Button>
      <span className="flex flex-wrap gap-2 max-sm:basis-full max-sm:*:min-h-11 max-sm:*:flex-1">
        <Button small {...deliberate(onApprove)}>
          <span>
            Approuver · <span className="whitespace-nowrap">{formatAmount(sumOf(chosen))}</span>
          </span>
        </Button>
        <Button variant="danger" small {...deliberate(onReject)}>
          Rejeter
        </Button>
      </span>
    </section>
  );
}

import { Button } from '#web/ui/button.tsx';

/** The actions for the selected tickets. */
export function ChoiceBar({
  count,
  busy,
  onApprove,
  onReject,
  onClear,
}: {
  count: number;
  busy: boolean;
  onApprove: () => void;
  onReject: () => void;
  onClear: () => void;
}) {
  return (
    <section
      aria-label="Tickets sélectionnés"
      className="sticky top-14 z-20 mb-3 flex flex-wrap items-center gap-2 rounded-card border border-leaf/30 bg-leaf-pale px-3.5 py-2 lg:top-0"
    >
      <p role="status" className="flex-1 whitespace-nowrap font-semibold">
        {count} sélectionné{count > 1 && 's'}
      </p>
      <Button variant="quiet" small onClick={onClear}>
        Désélectionner
      </Button>
      <Button small busy={busy} onClick={onApprove}>
        Approuver
      </Button>
      <Button variant="danger" small busy={busy} onClick={onReject}>
        Rejeter
      </Button>
    </section>
  );
}

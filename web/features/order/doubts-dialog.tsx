import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';

/** Asks about what the person may not mean, before an order is sent. The first button has the focus. */
export function DoubtsDialog({
  doubts,
  onCheck,
  onConfirm,
}: {
  doubts: string[];
  onCheck: () => void;
  onConfirm: () => void;
}) {
  return (
    <Dialog title="Vérifiez votre demande" onClose={onCheck}>
      <div className="mt-3 flex flex-col gap-2">
        {doubts.map((doubt) => (
          <p key={doubt}>{doubt}</p>
        ))}
      </div>
      <DialogButtons className="mt-5">
        <Button tight onClick={onCheck}>
          Vérifier
        </Button>
        <Button variant="plain" tight onClick={onConfirm}>
          Confirmer quand même
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

import { Button } from '#web/ui/button.tsx';
import { DialogButtons } from '#web/ui/dialog.tsx';

interface Props {
  busy: boolean;
  /** The words of the button that saves. */
  children: string;
  onCancel: (() => void) | undefined;
}

/** The buttons of a form of one's own account: a dialog's, or without `onCancel` the one of a form on the panel's page. */
export function OwnFormFoot({ busy, children, onCancel }: Props) {
  const Buttons = onCancel ? DialogButtons : 'div';
  return (
    <Buttons className="col-span-full flex flex-wrap gap-2.5">
      {onCancel && (
        <Button variant="plain" className="flex-1" onClick={onCancel}>
          Annuler
        </Button>
      )}
      <Button type="submit" className="flex-1" busy={busy}>
        {children}
      </Button>
    </Buttons>
  );
}

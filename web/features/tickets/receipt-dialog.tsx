import type { Ticket } from '#contract/tickets.ts';
import { useAction } from '#web/forms/use-action.ts';
import { PrinterIcon, ShareIcon } from '#web/ui/action-icons.tsx';
import { Button } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { receiptLines, receiptText, receiptTitle } from './receipt.ts';

/** The receipt of an approved ticket, to show, share and print. */
export function ReceiptDialog({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const share = useShare();
  const lines = receiptLines(ticket);
  const [, total] = lines.at(-1) ?? [];
  return (
    <Dialog title={receiptTitle(ticket)} onClose={onClose}>
      {/* Printed alone: styles.css hides the rest. */}
      <div className="receipt mt-3">
        <p className="mb-3 hidden font-bold text-xl print:block">Guichet · {receiptTitle(ticket)}</p>
        <Facts>
          {lines.slice(0, -1).map(([name, value]) => (
            <Fact key={name} name={name} long={name === 'Service'}>
              {value}
            </Fact>
          ))}
          <Fact name="Total" main>
            {total}
          </Fact>
        </Facts>
      </div>
      <div className="mt-5 flex flex-wrap gap-2.5">
        <Button className="flex-1" busy={share.busy} onClick={() => share.run(ticket)}>
          <ShareIcon className="size-5" /> Partager
        </Button>
        <Button variant="plain" className="flex-1" onClick={() => print()}>
          <PrinterIcon className="size-5" /> Imprimer
        </Button>
      </div>
      <Button variant="quiet" className="mt-2 w-full" onClick={onClose}>
        Fermer
      </Button>
    </Dialog>
  );
}

/** Shares a receipt through the phone, or copies it where sharing is unavailable. */
function useShare() {
  const toast = useToast();
  return useAction(async (ticket: Ticket) => {
    const text = receiptText(ticket);
    if ('share' in navigator)
      try {
        return await navigator.share({ title: receiptTitle(ticket), text });
      } catch (error) {
        // A cancelled share does not copy.
        if (error instanceof Error && error.name === 'AbortError') return;
      }
    toast(
      (await copyText(text))
        ? { title: 'Reçu copié', description: 'Collez-le dans un message.' }
        : { title: 'Copie impossible', description: 'Sélectionnez le reçu pour le copier.', destructive: true },
    );
  });
}

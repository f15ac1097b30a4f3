import { useEffect } from 'react';
import { readReceiptCode } from '#contract/receipts.ts';
import type { Ticket } from '#contract/tickets.ts';
import { receiptAddress } from '#web/addresses.ts';
import { saveFile } from '#web/api/download.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useAction } from '#web/forms/use-action.ts';
import { spaceAmount } from '#web/text/formats.ts';
import { receiptTitle } from '#web/text/tickets.ts';
import { CheckIcon, InstallIcon, PrinterIcon, ShareIcon } from '#web/ui/action-icons.tsx';
import { adviceOn } from '#web/ui/advice.ts';
import { Button } from '#web/ui/button.tsx';
import { copyText } from '#web/ui/copy-button.tsx';
import { Dialog, DialogButtons } from '#web/ui/dialog.tsx';
import { Fact, Facts } from '#web/ui/facts.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { receiptLines, receiptText, withoutAddress } from './receipt.ts';

const imageModule = () => import('./receipt-image.ts');

/** The receipt of an approved ticket, to show, share, save and print (P9.14). */
export function ReceiptDialog({ ticket, onClose }: { ticket: Ticket; onClose: () => void }) {
  const { address, isComing } = useReceiptAddress(ticket.id);
  const share = useShare(ticket, address);
  const save = useSaveImage(ticket, address);
  // A browser shares only soon after the tap.
  useEffect(() => void imageModule().catch(() => {}), []);
  const lines = receiptLines(ticket);
  const [, total] = lines.at(-1) ?? [];
  const names = ticket.servicePath.map(({ name }) => name);
  const service = names.pop();
  return (
    <Dialog
      cloth
      title={receiptTitle(ticket.id)}
      mark={
        <span className="flex size-10 shrink-0 items-center justify-center rounded-xl bg-leaf-pale text-leaf">
          <CheckIcon className="size-6" />
        </span>
      }
      note="Guichet"
      onClose={onClose}
    >
      {/* Printed alone: styles.css hides the rest. */}
      <div className="receipt mt-3">
        <p className="mb-3 hidden font-bold text-title print:block">{`Guichet · ${receiptTitle(ticket.id)}`}</p>
        <div className="ticket">
          <div className="px-4 pt-3 pb-4">
            <Facts>
              <Fact name="Service" note={names.join(' → ')}>
                {service}
              </Fact>
              {lines.slice(1, -1).map(([name, value]) => (
                <Fact key={name} name={name}>
                  {value}
                </Fact>
              ))}
              <Fact name="Total" main>
                {total && spaceAmount(total)}
              </Fact>
            </Facts>
          </div>
          <VerifyAddress address={address} isComing={isComing} />
        </div>
      </div>
      <div className="my-4 flex flex-wrap gap-2.5">
        <Button
          variant="plain"
          tight
          className="flex-1"
          disabled={isComing}
          busy={save.busy}
          onClick={() => save.run()}
        >
          <InstallIcon className="size-5 shrink-0" /> Télécharger
        </Button>
        <Button variant="plain" tight className="flex-1" onClick={() => print()}>
          <PrinterIcon className="size-5" /> Imprimer
        </Button>
      </div>
      <DialogButtons>
        <Button variant="quiet" tight onClick={onClose}>
          Fermer
        </Button>
        <Button className="flex-1 basis-32" disabled={isComing} busy={share.busy} onClick={() => share.run()}>
          <ShareIcon className="size-5" /> Partager
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

/** Where the receipt is verified; as high before the address comes. */
function VerifyAddress({ address, isComing }: ReturnType<typeof useReceiptAddress>) {
  const codeAt = (address?.lastIndexOf('/') ?? 0) + 1;
  return (
    <div role="status" className="min-h-22 px-4 py-3.5 text-body">
      {address ? (
        <>
          <p className="text-soft">Pour vérifier ce reçu, ouvrez cette adresse&nbsp;:</p>
          <a
            href={address}
            target="_blank"
            rel="noopener noreferrer"
            className="wrap-anywhere inline-flex min-h-11 items-center font-mono font-semibold text-leaf underline underline-offset-4"
          >
            <span>
              {address.slice(0, codeAt)}
              {/* The code is compared as a whole: it stands on one line. */}
              <span className="inline-block underline">{address.slice(codeAt)}</span>
            </span>
          </a>
        </>
      ) : (
        <p className={isComing ? 'text-soft' : 'font-semibold text-amber'}>
          {isComing ? "Chargement de l'adresse qui vérifie ce reçu..." : withoutAddress}
        </p>
      )}
    </div>
  );
}

/** The address that verifies a receipt; without one it is either coming, or missing for now. */
function useReceiptAddress(id: number): { address: string | undefined; isComing: boolean } {
  const { data, isPending, isPaused } = useEndpoint(readReceiptCode, { params: { id: String(id) } }, { keep: true });
  return { address: data && location.origin + receiptAddress(data.code), isComing: isPending && !isPaused };
}

/** Shares a receipt as an image with its text, as text where files cannot be shared, or copies it. */
function useShare(ticket: Ticket, address: string | undefined) {
  const toast = useToast();
  return useAction(async () => {
    const text = receiptText(ticket, address);
    if ('share' in navigator)
      try {
        const words = { title: receiptTitle(ticket.id), text };
        const image = await imageModule()
          .then(({ drawReceipt }) => drawReceipt(ticket, address))
          .catch(() => undefined);
        const whole = image && { ...words, files: [image] };
        return await navigator.share(whole && navigator.canShare?.(whole) ? whole : words);
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

function useSaveImage(ticket: Ticket, address: string | undefined) {
  const toast = useToast();
  return useAction(async () => {
    try {
      const { drawReceipt } = await imageModule();
      const image = await drawReceipt(ticket, address);
      saveFile(image, image.name);
      toast({ title: 'Image téléchargée', description: `Elle s'appelle ${image.name}.` });
    } catch (error) {
      const description = `${adviceOn(error)} Vous pouvez aussi imprimer le reçu.`;
      toast({ title: "L'image n'a pas pu être faite", description, destructive: true });
    }
  });
}

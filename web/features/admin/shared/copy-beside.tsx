import { CopyButton } from '#web/ui/copy-button.tsx';
import { useToast } from '#web/ui/toast.tsx';

/** Copies the text that it stands beside, on a line no taller for it, in a table by a smaller button. `of` names the text. */
export function CopyBeside({ text, of, onCopied }: { text: string; of: string; onCopied?: (() => void) | undefined }) {
  const toast = useToast();
  const tell = (done: boolean) => {
    if (done) onCopied?.();
    else toast({ title: 'Copie impossible', description: 'Copiez le texte à la main.', destructive: true });
  };
  return (
    <span className="-mx-2 -my-3 inline-flex align-middle in-[td]:*:size-9! in-[td]:*:min-h-0! in-[td]:*:p-0! in-[td]:[&_svg]:size-4">
      <CopyButton square quiet text={text} of={of} onDone={tell} />
    </span>
  );
}

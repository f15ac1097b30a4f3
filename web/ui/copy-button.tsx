import { useState } from 'react';
import { Button } from './button.tsx';
import { CheckIcon, CopyIcon } from './icons.tsx';
import { copiedMs } from './limits.ts';

/** Copies a text; says through `onDone` whether it worked, since some browsers refuse. */
export function CopyButton({ text, onDone }: { text: string; onDone: (copied: boolean) => void }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(text);
    onDone(done);
    if (!done) return;
    setCopied(true);
    setTimeout(() => setCopied(false), copiedMs);
  };
  return (
    <Button variant="plain" onClick={copy} tight className="flex-1">
      {copied ? <CheckIcon className="size-5 text-leaf" /> : <CopyIcon className="size-5" />}
      {copied ? 'Copié' : 'Copier'}
    </Button>
  );
}

/** The clipboard exists on secure pages only; elsewhere a selection and the old command do. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    (document.querySelector('dialog[open]') ?? document.body).append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}

import { useState } from 'react';
import { CheckIcon, CopyIcon } from './action-icons.tsx';
import { Button } from './button.tsx';
import { join } from './join.ts';
import { copiedMs } from './limits.ts';

/** Copies a text; `onDone` receives the success. In a list, `of` names the text for screen readers. */
export function CopyButton({
  text,
  of,
  main,
  square,
  quiet,
  onDone,
}: {
  text: string;
  of?: string | undefined;
  /** The main action of its screen. */
  main?: boolean;
  /** Only the icon, for narrow places. */
  square?: boolean;
  /** Without a border, beside finished things. */
  quiet?: boolean;
  onDone: (copied: boolean) => void;
}) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    const done = await copyText(text);
    onDone(done);
    if (!done) return;
    setCopied(true);
    setTimeout(() => setCopied(false), copiedMs);
  };
  const icon = 'size-5 shrink-0';
  const label = copied ? 'Copié' : 'Copier';
  return (
    <Button
      variant={main ? 'main' : quiet ? 'quiet' : square ? 'plain' : 'outline'}
      onClick={copy}
      tight
      className={square ? 'size-12 shrink-0' : undefined}
      aria-label={of ? `${label} ${of}` : square ? label : undefined}
    >
      {copied ? <CheckIcon className={join(icon, !main && 'text-leaf')} /> : <CopyIcon className={icon} />}
      {!square && <span>{label}</span>}
    </Button>
  );
}

/** Copies a text; resolves with its success. The clipboard exists on secure pages only. */
export async function copyText(text: string): Promise<boolean> {
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

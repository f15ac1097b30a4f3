import { buttonClass } from '#web/ui/button.tsx';
import { CopyButton } from '#web/ui/copy-button.tsx';
import { PhoneIcon } from '#web/ui/icons.tsx';

/**
 * A code to dial: shown in clear, to copy, and to open in the phone's dialler. `href` is its tel: link, `operator` whose line
 * it must be dialled from, where that is known.
 */
export function DialCode({
  code,
  href,
  operator,
  of,
  onCopied,
}: {
  code: string;
  href: string;
  operator?: string | null | undefined;
  /** Which code, for screen readers, where several stand in a list: 'le code du ticket n° 7'. */
  of?: string;
  onCopied: (copied: boolean) => void;
}) {
  return (
    <div className="flex flex-col gap-2.5">
      <p className="select-all break-all rounded-xl border border-edge border-dashed bg-ground px-3 py-3 text-center font-bold font-mono text-lg">
        {code}
      </p>
      {operator && <p className="text-sm">À composer depuis une ligne {operator}.</p>}
      <div className="flex flex-wrap gap-2.5">
        <a href={href} aria-label={of && `Composer ${of}`} className={buttonClass({ tight: true }, 'flex-1')}>
          <PhoneIcon className="size-5" /> Composer
        </a>
        <CopyButton text={code} of={of} onDone={onCopied} />
      </div>
    </div>
  );
}

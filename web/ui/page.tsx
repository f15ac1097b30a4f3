import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import { BackIcon } from './control-icons.tsx';
import { join } from './join.ts';

/** A heading that takes the focus when the focused element disappears with the last screen. `text` tells screens apart. */
export function useHeadingFocus(text: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text is another screen
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, [text]);
  return { ref: heading, tabIndex: -1 };
}

/** The head of a screen: title, optional back button, and controls beside the title. */
export function PageTitle({
  children,
  onBack,
  aside,
}: {
  children: ReactNode;
  onBack?: (() => void) | undefined;
  aside?: ReactNode;
}) {
  const text = [children].flat().join('');
  const heading = useHeadingFocus(text);
  return (
    <div className="mb-2 flex min-h-12 flex-wrap items-center gap-x-1 gap-y-1">
      {onBack && <BackButton onClick={onBack} className="-ml-3" />}
      <title>{`${text} · Guichet`}</title>
      <h1
        {...heading}
        className={join(
          'outline-none min-w-0 flex-1 basis-28 font-bold leading-tight',
          onBack ? 'text-large' : 'text-title',
        )}
      >
        {text}
      </h1>
      {aside}
    </div>
  );
}

/** The column of a screen's content; narrow for a form. */
export function Column({ wide, narrow, children }: { wide?: boolean; narrow?: boolean; children: ReactNode }) {
  const width = wide ? 'max-w-5xl' : narrow ? 'max-w-md' : 'max-w-2xl';
  return <main className={join('mx-auto w-full px-4 pt-1.5 pb-6', width)}>{children}</main>;
}

export function BackButton({ className, ...rest }: ComponentProps<'button'>) {
  return (
    <button
      type="button"
      aria-label="Retour"
      className={join(
        'flex size-12 shrink-0 items-center justify-center rounded-xl hover:bg-leaf-pale hover:text-ink',
        className,
      )}
      {...rest}
    >
      <BackIcon />
    </button>
  );
}

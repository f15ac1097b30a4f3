import { type ReactNode, useEffect, useRef } from 'react';
import { BackButton } from './back-button.tsx';
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

const headClass = 'cloth cloth-low cloth-head -mt-1.5 mb-4 flex min-h-12 flex-wrap items-center gap-x-2 md:min-h-15';

/** The head of a screen, of cloth: title, optional back button and mark, and controls beside the title. */
export function PageTitle({
  children,
  after,
  onBack,
  mark,
  aside,
}: {
  children: ReactNode;
  /** The smaller end of the title. */
  after?: string;
  onBack?: (() => void) | undefined;
  mark?: ReactNode;
  aside?: ReactNode;
}) {
  const text = [children].flat().join('');
  const heading = useHeadingFocus(text);
  return (
    <div className={headClass}>
      {onBack && <BackButton onClick={onBack} className="-my-1 -mr-2 -ml-3" />}
      <title>{`${text}${after ? ` ${after}` : ''} · Guichet`}</title>
      {mark}
      <h1
        {...heading}
        className="wrap-anywhere min-w-0 flex-1 basis-28 py-1 font-bold text-[1.25rem] leading-tight outline-none md:text-title"
      >
        {after ? <span>{text}</span> : text}
        {after && <span className="font-normal font-sans text-small text-white/80">{` ${after}`}</span>}
      </h1>
      {aside}
    </div>
  );
}

/** The head of a screen whose title is not known yet. */
export function HeadToCome() {
  return <div className={headClass} aria-hidden="true" />;
}

/** The column of a screen's content, one grid for all; narrow for a form. */
export function Column({ narrow, children }: { narrow?: boolean; children: ReactNode }) {
  return (
    <main
      className={join('mx-auto w-full flex-1 px-4 pt-1.5 pb-6 rail:self-stretch', narrow ? 'max-w-md' : 'max-w-5xl')}
    >
      {children}
    </main>
  );
}

import type { ComponentProps } from 'react';
import { readPageBackground, type PageBackground as Settings } from '#contract/page-background.ts';
import { useAnswer } from '#web/api/use-answer.tsx';

/** The operator's picture behind everything; nothing at all without one, or without an answer. */
export function PageBackground() {
  const { data } = useAnswer(readPageBackground, {});
  return data && <BackgroundPicture settings={data} className="page-background fixed" data-testid="page-background" />;
}

/** A background as it is set, behind all that stands around it. */
export function BackgroundPicture({
  settings: { backgroundImage, opacity, blur },
  className,
  ...rest
}: ComponentProps<'div'> & { settings: Settings }) {
  if (!backgroundImage) return null;
  return (
    <div
      aria-hidden="true"
      className={`pointer-events-none inset-0 -z-10 bg-center bg-cover ${className}`}
      style={{ backgroundImage: `url("${backgroundImage}")`, opacity: opacity / 100, filter: `blur(${blur}px)` }}
      {...rest}
    />
  );
}

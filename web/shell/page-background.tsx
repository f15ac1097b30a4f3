import type { ComponentProps } from 'react';
import { readPageBackground, type PageBackground as Settings } from '#contract/page-background.ts';
import { imageAt } from '#contract/uploads.ts';
import { useAnswer } from '#web/api/use-answer.tsx';

/** The operator's picture behind everything; nothing at all without one, or without an answer. */
export function PageBackground() {
  const { data } = useAnswer(readPageBackground, {});
  return data && <BackgroundPicture settings={data} className="page-background fixed" data-testid="page-background" />;
}

/** Wide pictures are drawn longer than the screen that they fill: most by so much at most. */
const longest = 16 / 9;

/** A background as it is set, behind all that stands around it; `side`, in CSS pixels, is the longest of what it fills. */
export function BackgroundPicture({
  settings: { backgroundImage, opacity, blur },
  side = Math.max(screen.width, screen.height),
  className,
  ...rest
}: ComponentProps<'div'> & { settings: Settings; side?: number }) {
  if (!backgroundImage) return null;
  // Nothing is left of what is finer than the blur, however fine the screen is.
  const finest = Math.max(blur, 1 / devicePixelRatio);
  const url = imageAt(backgroundImage, (side * longest) / finest);
  return (
    <div
      aria-hidden="true"
      className={`pointer-events-none inset-0 -z-10 bg-center bg-cover ${className}`}
      style={{ backgroundImage: `url("${url}")`, opacity: opacity / 100, filter: `blur(${blur}px)` }}
      {...rest}
    />
  );
}

import type { ComponentProps } from 'react';
import type { BackgroundLook } from '#contract/page-background.ts';
import { imageAt } from '#contract/uploads.ts';

/** Wide pictures are drawn longer than the screen that they fill: most by so much at most. */
const longest = 16 / 9;

/** A background as it is set, behind all that stands around it; `side`, in CSS pixels, is the longest of what it fills. */
export default function BackgroundPicture({
  settings: { backgroundImage, opacity, blur },
  side = Math.max(screen.width, screen.height),
  className,
  ...rest
}: ComponentProps<'div'> & { settings: BackgroundLook; side?: number }) {
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

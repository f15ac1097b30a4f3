import type { ComponentProps } from 'react';
import type { BackgroundLook } from '#contract/page-background.ts';
import { imageAt } from '#contract/uploads.ts';

/** Cover-sized pictures exceed the screen's longest side by at most this factor. */
const longest = 16 / 9;

/** The page background with its settings; `side`, in CSS pixels, is the longest side that it fills. */
export default function BackgroundPicture({
  settings: { backgroundImage, opacity, blur },
  side = Math.max(screen.width, screen.height),
  className,
  ...rest
}: ComponentProps<'div'> & { settings: BackgroundLook; side?: number }) {
  if (!backgroundImage) return null;
  // The blur removes finer detail, on any screen.
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

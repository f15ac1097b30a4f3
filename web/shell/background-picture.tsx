import { type ComponentProps, useLayoutEffect } from 'react';
import type { BackgroundLook } from '#contract/page-background.ts';
import { imageAt } from '#contract/uploads.ts';

/** Cover-sized pictures exceed the screen's longest side by at most this factor. */
const longest = 16 / 9;

/** Of a text's ground, the share that may be the picture's: whatever its colour, every text has a contrast of 4.5. */
const seen = 14;

/** The page background with its settings; `side`, in CSS pixels, is the longest side that it fills. */
export default function BackgroundPicture({
  settings: { backgroundImage, opacity, blur },
  side = Math.max(screen.width, screen.height),
  className,
  ...rest
}: ComponentProps<'div'> & { settings: BackgroundLook; side?: number }) {
  const isPage = className?.includes('page-background');
  useLayoutEffect(() => {
    // The fainter the picture, the thinner the plate under a text.
    const plate = Math.max(40, 100 - (100 * seen) / Math.max(1, opacity));
    if (isPage) document.documentElement.style.setProperty('--plate', `${plate}%`);
  }, [isPage, opacity]);
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

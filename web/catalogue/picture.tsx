import { imageSources } from '#contract/uploads.ts';

/**
 * A picture of which the browser asks for no more than it shows: `side` is the longest side that it is drawn with, as CSS writes
 * a length. One that fills a square is drawn longer than that, by a third where it is as wide as most photos.
 */
export function Picture({
  src,
  side,
  alt = '',
  lazy = false,
  className,
}: {
  src: string;
  side: string;
  alt?: string;
  /** Whether it may wait until it comes into view. */
  lazy?: boolean;
  className: string;
}) {
  // In this order, since Safari begins with the first address that it is given.
  return (
    <img
      alt={alt}
      loading={lazy ? 'lazy' : undefined}
      sizes={side}
      srcSet={imageSources(src)}
      src={src}
      className={className}
    />
  );
}

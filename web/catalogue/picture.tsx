import { imageSources } from '#contract/uploads.ts';

/**
 * A picture loaded at its drawn size: `side` is its longest drawn side, a CSS length. A picture that fills a square is
 * drawn longer than it, by a third for most photos.
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
  /** Whether it loads only when scrolled into view. */
  lazy?: boolean;
  className: string;
}) {
  // In this order: Safari loads the first address that is set.
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

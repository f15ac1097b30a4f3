import { imageSources } from '#contract/uploads.ts';

/** A picture loaded at its drawn size: `side` is its longest drawn side, a CSS length; of a square that is filled, a third more. */
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

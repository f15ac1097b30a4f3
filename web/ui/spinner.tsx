import { join } from './join.ts';

export function Spinner({ className = 'size-5' }: { className?: string }) {
  return (
    <span
      className={join('turn inline-block rounded-full border-[3px] border-current border-r-transparent', className)}
      aria-hidden="true"
    />
  );
}

/** A full-screen spinner below the product's name: the document's own (web/index.html), whose styles stay. */
export function FullScreenSpinner({ brand }: { brand: string }) {
  return (
    <div className="boot" role="status">
      <b>{brand}</b>
      <i aria-hidden="true" />
      <span>Chargement...</span>
    </div>
  );
}

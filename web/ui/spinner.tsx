import { join } from './join.ts';

export function Spinner({ className = 'size-5' }: { className?: string }) {
  return (
    <span
      className={join('turn inline-block rounded-full border-[3px] border-current border-r-transparent', className)}
      aria-hidden="true"
    />
  );
}

/** A full-screen spinner with the product's name, drawn like the document's own. */
export function FullScreenSpinner({ brand }: { brand: string }) {
  return (
    <div className="flex min-h-[calc(var(--screen)-6px)] flex-col items-center justify-center text-leaf" role="status">
      <div className="on-page flex flex-col items-center gap-4 p-8">
        <p className="font-extrabold text-display tracking-tight">{brand}</p>
        <Spinner className="size-10" />
        <p className="text-large text-ink">Chargement...</p>
      </div>
    </div>
  );
}

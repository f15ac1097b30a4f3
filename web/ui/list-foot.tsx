import { Button } from './button.tsx';

/** The end of a longer list: a button for more, or for another try after a failure. */
export function ListFoot({
  hasMore,
  more,
  onMore,
}: {
  hasMore: boolean;
  more: 'idle' | 'loading' | 'failed';
  onMore: () => void;
}) {
  if (!hasMore) return null;
  return (
    <div className="mt-4 flex flex-col gap-2">
      <p role="alert" className="text-center text-brick empty:hidden">
        {more === 'failed' && 'La suite n’a pas pu être chargée.'}
      </p>
      <Button variant="plain" className="w-full" busy={more === 'loading'} onClick={onMore}>
        {more === 'failed' ? 'Réessayer' : 'Afficher plus'}
      </Button>
    </div>
  );
}

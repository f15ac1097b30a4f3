import { formatDate } from '#web/text/formats.ts';
import { Button } from '#web/ui/button.tsx';
import type { KeptDraft } from './kept-draft.ts';

/** Offers an unsaved draft before the form opens. */
export function DraftChoice({
  draft,
  isNew,
  onResume,
  onDiscard,
}: {
  draft: KeptDraft;
  isNew: boolean;
  onResume: () => void;
  onDiscard: () => void;
}) {
  return (
    <div className="mt-3 flex flex-col gap-4">
      <p>Un texte non enregistré a été retrouvé :</p>
      <blockquote className="rounded-xl border border-line bg-ground px-4 py-3">
        <p className="wrap-anywhere font-bold">{draft.fields.title || 'Sans titre'}</p>
        <p className="line-clamp-4 whitespace-pre-line text-soft text-sm">{draft.fields.content}</p>
      </blockquote>
      <div className="flex flex-col gap-2.5">
        <Button onClick={onResume}>Reprendre le brouillon du {formatDate(draft.keptAt)}</Button>
        <Button variant="danger" onClick={onDiscard}>
          {isNew ? 'Supprimer le brouillon' : 'Supprimer le brouillon, garder la page'}
        </Button>
      </div>
    </div>
  );
}

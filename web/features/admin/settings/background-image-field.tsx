import { useId, useRef } from 'react';
import { imageTypes } from '#contract/uploads.ts';
import { Picture } from '#web/catalogue/picture.tsx';
import { imageProblem } from '#web/features/admin/shared/image-check.ts';
import { Button } from '#web/ui/button.tsx';
import { useToast } from '#web/ui/toast.tsx';

/** Uploads the background image at once, or removes it. */
export function BackgroundImageField({
  image,
  busy,
  onChoose,
  onRemove,
}: {
  image: string | null;
  busy: boolean;
  onChoose: (file: File) => void;
  onRemove: () => void;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const choice = useRef<HTMLButtonElement>(null);
  const toast = useToast();
  const choose = (file: File | undefined) => {
    if (!file) return;
    const problem = imageProblem(file);
    if (!problem) return onChoose(file);
    const isHeavy = problem.title === 'Fichier trop volumineux';
    toast({ ...(isHeavy ? { title: "L'image ne doit pas dépasser 5MB." } : problem), destructive: true });
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 font-semibold text-sm">Image</legend>
      <div className="flex flex-wrap items-center gap-2.5">
        {image && (
          <Picture
            src={image}
            side="5.5rem"
            alt="Fond de page actuel"
            className="h-12 w-18 rounded-lg border border-line object-cover"
          />
        )}
        <Button
          ref={choice}
          variant="plain"
          tight
          busy={busy}
          aria-describedby={id}
          onClick={() => input.current?.click()}
        >
          {busy ? 'Téléchargement...' : image ? 'Remplacer l’image' : 'Choisir une image'}
        </Button>
        {image && (
          <Button
            variant="danger"
            tight
            onClick={() => {
              onRemove();
              choice.current?.focus();
            }}
          >
            Supprimer l’image
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        accept={imageTypes.join()}
        aria-label="Image de fond"
        onChange={(event) => {
          choose(event.target.files?.[0]);
          // So that the same file can be chosen again.
          event.target.value = '';
        }}
      />
      <p id={id} className="text-soft text-sm">
        JPEG, PNG ou WebP, 5 Mo au plus.
      </p>
    </fieldset>
  );
}

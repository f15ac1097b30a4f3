import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { imageTypes, maximumImageBytes } from '#contract/uploads.ts';
import { Picture } from '#web/catalogue/picture.tsx';
import { Button } from '#web/ui/button.tsx';
import { type Toast, useToast } from '#web/ui/toast.tsx';
import { FileButton } from './file-button.tsx';

interface Words {
  /** For screen readers, where it differs from the label. */
  spoken: string;
  alt: string;
  remove: string;
  /** The toast about an image above the size limit. */
  tooHeavy: Toast;
}

const ownWords: Omit<Words, 'spoken'> = {
  alt: 'Aperçu',
  remove: "Retirer l'image",
  tooHeavy: { title: 'Fichier trop volumineux', description: 'La taille maximale autorisée est de 5MB.' },
};

/** Chooses an image, or none. One that the server would refuse shows a toast and changes nothing. */
export function ImageField({
  label,
  image,
  busy = false,
  words,
  onChange,
}: {
  label: string;
  /** The address of the stored image, a file to upload, or null. */
  image: string | File | null;
  /** The chosen image is being uploaded. */
  busy?: boolean;
  words?: Words;
  onChange: (image: File | null) => void;
}) {
  const id = useId();
  const chooser = useRef<HTMLButtonElement>(null);
  const toast = useToast();
  const src = useSource(image);
  const { alt, remove, tooHeavy } = words ?? ownWords;
  const choose = (file: File) => {
    const problem = imageProblem(file, tooHeavy);
    if (problem) toast({ ...problem, destructive: true });
    else onChange(file);
  };
  let action: ReactNode = 'Choisir une image';
  if (busy) action = 'Téléchargement...';
  else if (src) action = "Remplacer l'image";
  return (
    <fieldset className="flex min-w-0 flex-col gap-1.5">
      <legend className="mb-1.5 font-semibold text-body">{label}</legend>
      <div className="flex flex-wrap items-center gap-3">
        <div className="flex size-24 shrink-0 items-center justify-center overflow-hidden rounded-xl border border-edge border-dashed bg-ground">
          {src ? (
            <Picture src={src} side="6rem" alt={alt} className="size-full object-contain" />
          ) : (
            <span className="px-2 text-center text-soft text-small">Aucune image</span>
          )}
        </div>
        <div className="flex min-w-[min(10rem,100%)] flex-1 flex-col items-start gap-1">
          <FileButton
            ref={chooser}
            label={words?.spoken ?? label}
            accept={imageTypes.join()}
            variant="plain"
            tight
            busy={busy}
            aria-describedby={id}
            onChoose={choose}
          >
            {action}
          </FileButton>
          {src && (
            <Button
              variant="quiet"
              tight
              onClick={() => {
                // This button disappears with the image.
                chooser.current?.focus();
                onChange(null);
              }}
            >
              {remove}
            </Button>
          )}
        </div>
      </div>
      <p id={id} className="text-soft text-small">
        JPEG, PNG ou WebP, 5 Mo au plus.
      </p>
    </fieldset>
  );
}

/** Why the server would refuse a chosen image; `undefined` if it may be sent. */
export function imageProblem(
  { type, size }: { type: string; size: number },
  tooHeavy: Toast = ownWords.tooHeavy,
): Toast | undefined {
  // A phone may not know the type of a file: the server looks at its bytes.
  if (type && !imageTypes.some((each) => each === type))
    return { title: 'Type de fichier invalide', description: 'Seuls les fichiers JPEG, PNG et WebP sont acceptés.' };
  return size > maximumImageBytes ? tooHeavy : undefined;
}

/** The URL of an image; that of a file to upload is an object URL, revoked on unmount. */
export function useSource(image: string | File | null): string | undefined {
  const [made, setMade] = useState<{ file: File; url: string }>();
  useEffect(() => {
    if (!(image instanceof File)) return;
    const url = URL.createObjectURL(image);
    setMade({ file: image, url });
    return () => URL.revokeObjectURL(url);
  }, [image]);
  if (!(image instanceof File)) return image ?? undefined;
  return made?.file === image ? made.url : undefined;
}

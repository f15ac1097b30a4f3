import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { imageTypes, maximumImageBytes } from '#contract/uploads.ts';
import { Picture } from '#web/catalogue/picture.tsx';
import { Button } from '#web/ui/button.tsx';
import { join } from '#web/ui/join.ts';
import { type Toast, useToast } from '#web/ui/toast.tsx';

export function ImageField({
  label,
  image,
  onChange,
}: {
  label: string;
  /** The address of the stored image, a file to upload, or null. */
  image: string | File | null;
  onChange: (image: File | null) => void;
}) {
  const chooser = useRef<HTMLButtonElement>(null);
  const src = useSource(image);
  return (
    <ImageChooser title={label} className="gap-1.5" onChoose={onChange}>
      {(button) => (
        <div className="flex flex-wrap items-center gap-3">
          <div className="flex size-24 shrink-0 items-center justify-center overflow-hidden rounded-xl border border-edge border-dashed bg-ground">
            {src ? (
              <Picture src={src} side="6rem" alt="Aperçu" className="size-full object-contain" />
            ) : (
              <span className="px-2 text-center text-soft text-sm">Aucune image</span>
            )}
          </div>
          <div className="flex min-w-[min(10rem,100%)] flex-1 flex-col items-start gap-1">
            <Button ref={chooser} variant="plain" tight {...button}>
              {src ? "Remplacer l'image" : 'Choisir une image'}
            </Button>
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
                Retirer l'image
              </Button>
            )}
          </div>
        </div>
      )}
    </ImageChooser>
  );
}

/**
 * The frame of an image's choice. `children` receives the props of the button that opens the file picker. An image that
 * the server would refuse shows a toast and changes nothing.
 */
export function ImageChooser({
  title,
  label = title,
  className,
  tooHeavy,
  onChoose,
  children,
}: {
  title: string;
  /** For screen readers, where it differs from the title. */
  label?: string;
  className: string;
  /** The toast about an image above the size limit. */
  tooHeavy?: Toast;
  onChoose: (image: File) => void;
  children: (button: Pick<ComponentProps<'button'>, 'aria-describedby' | 'onClick'>) => ReactNode;
}) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const choose = (file: File | undefined) => {
    if (!file) return;
    const problem = imageProblem(file, tooHeavy);
    if (problem) toast({ ...problem, destructive: true });
    else onChoose(file);
  };
  return (
    <fieldset className={join('flex min-w-0 flex-col', className)}>
      <legend className="mb-1.5 font-semibold text-sm">{title}</legend>
      {children({ 'aria-describedby': id, onClick: () => input.current?.click() })}
      <input
        ref={input}
        type="file"
        hidden
        accept={imageTypes.join()}
        aria-label={label}
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

/** Why the server would refuse a chosen image; `undefined` if it may be sent. */
export function imageProblem(
  { type, size }: { type: string; size: number },
  tooHeavy: Toast = { title: 'Fichier trop volumineux', description: 'La taille maximale autorisée est de 5MB.' },
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

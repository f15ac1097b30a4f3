import { imageTypes, maximumImageBytes } from '#contract/uploads.ts';

/** Why the server would refuse a chosen image; `undefined` if it may be sent. */
export function imageProblem({ type, size }: { type: string; size: number }): ImageProblem | undefined {
  if (!imageTypes.some((each) => each === type))
    return { title: 'Type de fichier invalide', description: 'Seuls les fichiers JPEG, PNG et WebP sont acceptés.' };
  if (size > maximumImageBytes)
    return { title: 'Fichier trop volumineux', description: 'La taille maximale autorisée est de 5MB.' };
  return undefined;
}

interface ImageProblem {
  title: string;
  description: string;
}

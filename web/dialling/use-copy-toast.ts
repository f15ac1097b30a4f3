import { useToast } from '#web/ui/toast.tsx';

/** Shows whether a code was copied. */
export function useCopyToast() {
  const toast = useToast();
  return (copied: boolean) =>
    toast(
      copied
        ? { title: 'Code copié', description: 'Collez-le dans le clavier d’appel de votre téléphone.' }
        : {
            title: 'Copie impossible',
            description: 'Le code est sélectionné : copiez-le à la main.',
            destructive: true,
          },
    );
}

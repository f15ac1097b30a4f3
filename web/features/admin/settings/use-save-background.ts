import {
  type BackgroundLook,
  type PageBackground,
  pageBackgroundDefaults,
  readPageBackground,
  savePageBackground,
  uploadPageBackground,
} from '#contract/page-background.ts';
import { useKeepAnswer } from '#web/api/use-answer.tsx';
import { useCall } from '#web/api/use-call.ts';
import type { DraftCopy } from '#web/features/admin/shared/use-draft.ts';
import { useAction } from '#web/forms/use-action.ts';
import { useFailureToast } from '#web/forms/use-failure-toast.ts';
import { useToast } from '#web/ui/toast.tsx';
import { useSaveEdited } from './use-save-edited.ts';

/** Saves the background over the version its editor saw, and redraws it behind this page. */
export function useSaveBackground(copy: DraftCopy<PageBackground, BackgroundLook>) {
  const call = useCall();
  const keep = useKeepAnswer();
  const toast = useToast();
  const toastFailure = useFailureToast();
  const { change } = copy;

  const { form, busy } = useSaveEdited(copy, {
    read: readPageBackground,
    toSend: (draft) => ({ data: draft }),
    store: async (body) => {
      const saved = await call(savePageBackground, { body });
      keep(readPageBackground, {}, saved);
      return saved;
    },
    titles: { saved: 'Paramètres sauvegardés', refused: 'Non sauvegardé' },
    failure: { title: 'Erreur lors de la sauvegarde des paramètres.', fallback: 'Réessayez.' },
  });
  const upload = useAction(async (file: File) => {
    try {
      const { url } = await call(uploadPageBackground, { file });
      change((before) => ({ ...before, backgroundImage: url }));
      toast({ title: 'Image téléchargée', description: 'Sauvegardez pour la montrer à tous.' });
    } catch (error) {
      toastFailure(error, { title: "Erreur lors du téléchargement de l'image.", fallback: 'Réessayez.' });
    }
  });
  return {
    form,
    busy,
    upload,
    removeImage: () => {
      change((before) => ({ ...before, backgroundImage: null }));
      toast({ title: 'Image supprimée', description: 'Sauvegardez pour l’enlever des écrans.' });
    },
    reset: () => {
      change(() => pageBackgroundDefaults);
      toast({ title: 'Paramètres réinitialisés', description: 'Sauvegardez pour les appliquer.' });
    },
  };
}

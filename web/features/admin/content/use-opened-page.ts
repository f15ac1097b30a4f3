import { useEffect, useRef, useState } from 'react';
import type { ContentPage } from '#contract/content-pages.ts';
import { useTabSearch } from '#web/features/admin/shared/tab-search.ts';
import { useAuth } from '#web/session/auth.tsx';
import { draftKey, forgetDraft, forgetDraftsOfOthers } from './kept-draft.ts';

/** Takes the place of an id in the address. */
export const newPage = 'nouvelle';

interface Opened {
  /** The page's id, or the word for a new one. */
  name: string;
  page?: ContentPage | undefined;
}

/**
 * The page that is open in the editor, by the address. A change of the address asks before it discards unsaved changes.
 */
export function useOpenedPage(pages: readonly ContentPage[] | undefined) {
  const { values, set } = useTabSearch();
  const { user } = useAuth();
  const [opened, setOpened] = useState<Opened>();
  const [leaving, setLeaving] = useState(false);
  // Read when the address changes, which may precede the next render.
  const unsaved = useRef(false);
  const asked = values.get('page') ?? undefined;
  useEffect(() => {
    if (asked === opened?.name) return;
    if (opened && unsaved.current) {
      set({ page: opened.name }, { step: true });
      setLeaving(true);
      return;
    }
    const page = pages?.find(({ id }) => String(id) === asked);
    setOpened(asked === newPage || page ? { name: asked as string, page } : undefined);
  }, [asked, opened, pages, set]);

  const userId = user?.id;
  useEffect(() => {
    if (userId !== undefined) forgetDraftsOfOthers(userId);
  }, [userId]);

  const leave = () => {
    unsaved.current = false;
    setLeaving(false);
    if (opened && user) forgetDraft(draftKey(user.id, opened.name));
    set({ page: undefined });
  };
  return {
    opened,
    open: (name: string) => set({ page: name }, { step: true }),
    /** Whether the question about unsaved changes is open. */
    leaving,
    askToLeave: () => (unsaved.current ? setLeaving(true) : set({ page: undefined })),
    /** Closes the page and removes its draft. */
    leave,
    stay: () => setLeaving(false),
    noteUnsaved: (is: boolean) => {
      unsaved.current = is;
    },
  };
}

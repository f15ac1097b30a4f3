import { type BackgroundLook, type PageBackground, readPageBackground } from '#contract/page-background.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { useDraft } from '#web/features/admin/shared/use-draft.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { BackgroundImageField } from './background-image-field.tsx';
import { BackgroundPreview } from './background-preview.tsx';
import { RangeField } from './range-field.tsx';
import { SectionCard } from './section-card.tsx';
import { useSaveBackground } from './use-save-background.ts';

/** The page background. */
export function BackgroundSection() {
  const query = useEndpoint(readPageBackground, {}, { pollEveryMs: pollEveryMs.adminSettings });
  return (
    <QueryState query={query} loading="Chargement du fond de page..." failure="Impossible de charger le fond de page.">
      {(stored) => <BackgroundForm stored={stored} />}
    </QueryState>
  );
}

const lookOf = ({ backgroundImage, opacity, blur }: PageBackground): BackgroundLook => ({
  backgroundImage,
  opacity,
  blur,
});

function BackgroundForm({ stored }: { stored: PageBackground }) {
  const copy = useDraft(stored, lookOf);
  const { draft, change } = copy;
  const { form, busy, upload, removeImage, reset } = useSaveBackground(copy);
  return (
    <SectionCard
      title="Fond de page"
      about="L’image que tout le monde voit derrière les écrans. Les textes restent sur un fond clair, pour être lus."
      copy={copy}
      form={form}
      theirs={
        <p>
          Sa version : {stored.backgroundImage ? 'une image' : 'sans image'}, opacité {stored.opacity} %, flou{' '}
          {stored.blur} px.
        </p>
      }
      foot={
        <div className="flex flex-wrap justify-end gap-2.5">
          <Button variant="plain" className="grow sm:grow-0" onClick={reset}>
            Réinitialiser
          </Button>
          <Button type="submit" className="grow sm:grow-0" busy={busy}>
            {busy ? 'Sauvegarde...' : 'Sauvegarder'}
          </Button>
        </div>
      }
    >
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-5">
          <BackgroundImageField
            image={draft.backgroundImage}
            busy={upload.busy}
            onChoose={(file) => upload.run(file)}
            onRemove={removeImage}
          />
          <RangeField
            label="Opacité"
            unit="%"
            maximum={100}
            value={draft.opacity}
            onChange={(opacity) => change((before) => ({ ...before, opacity }))}
          />
          <RangeField
            label="Flou"
            unit="px"
            maximum={20}
            value={draft.blur}
            onChange={(blur) => change((before) => ({ ...before, blur }))}
          />
        </div>
        <BackgroundPreview settings={draft} />
      </div>
    </SectionCard>
  );
}

import { useId } from 'react';
import {
  type BackgroundLook,
  type PageBackground,
  pageBackgroundDefaults,
  readPageBackground,
  savePageBackground,
  uploadPageBackground,
} from '#contract/page-background.ts';
import { pollEveryMs } from '#web/api/polling.ts';
import { useCall } from '#web/api/use-call.ts';
import { useEndpoint } from '#web/api/use-endpoint.ts';
import { DialogFoot } from '#web/features/admin/shared/confirm-dialog.tsx';
import { ImageField } from '#web/features/admin/shared/image-field.tsx';
import { useAction } from '#web/forms/use-action.ts';
import BackgroundPicture from '#web/shell/background-picture.tsx';
import { backgroundChanged } from '#web/shell/frame.tsx';
import { Card } from '#web/ui/card.tsx';
import { QueryState } from '#web/ui/query-state.tsx';
import { useToast } from '#web/ui/toast.tsx';
import { SavedSection } from './saved-section.tsx';

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

const imageWords = {
  spoken: 'Image de fond',
  alt: 'Fond de page actuel',
  remove: "Supprimer l'image",
  tooHeavy: { title: "L'image ne doit pas dépasser 5MB." },
};

function BackgroundForm({ stored }: { stored: PageBackground }) {
  return (
    <SavedSection
      title="Fond de page"
      about="L'image que tout le monde voit derrière les écrans. Les textes restent sur un fond uni, pour être lus."
      stored={stored}
      draftOf={lookOf}
      read={readPageBackground}
      toSend={(data) => ({ data })}
      write={savePageBackground}
      onSaved={() => dispatchEvent(new Event(backgroundChanged))}
      saved="Paramètres sauvegardés"
      failure={{ title: 'Erreur lors de la sauvegarde des paramètres.', fallback: 'Réessayez.' }}
      hasOwnButtons
    >
      {(fields) => <LookFields {...fields} />}
    </SavedSection>
  );
}

function LookFields({
  draft,
  change,
  busy,
}: {
  draft: BackgroundLook;
  change: (look: Partial<BackgroundLook>) => void;
  busy: boolean;
}) {
  const call = useCall();
  const toast = useToast();
  const upload = useAction(
    async (file: File) => {
      change({ backgroundImage: (await call(uploadPageBackground, { file })).url });
      return { title: 'Image téléchargée', description: 'Sauvegardez pour la montrer à tous.' };
    },
    { failure: { title: "Erreur lors du téléchargement de l'image.", fallback: 'Réessayez.' } },
  );
  const removeImage = () => {
    change({ backgroundImage: null });
    toast({ title: 'Image supprimée', description: "Sauvegardez pour l'enlever des écrans." });
  };
  const reset = () => {
    change(pageBackgroundDefaults);
    toast({ title: 'Paramètres réinitialisés', description: 'Sauvegardez pour les appliquer.' });
  };
  return (
    <>
      <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-5">
          <ImageField
            label="Image"
            image={draft.backgroundImage}
            busy={upload.busy}
            words={imageWords}
            onChange={(file) => (file ? upload.run(file) : removeImage())}
          />
          <RangeField
            label="Opacité"
            unit="%"
            maximum={100}
            value={draft.opacity}
            onChange={(opacity) => change({ opacity })}
          />
          <RangeField label="Flou" unit="px" maximum={20} value={draft.blur} onChange={(blur) => change({ blur })} />
        </div>
        <BackgroundPreview settings={draft} />
      </div>
      <DialogFoot inPage cancel="Réinitialiser" busy={busy} onCancel={reset}>
        {busy ? 'Sauvegarde...' : 'Sauvegarder'}
      </DialogFoot>
    </>
  );
}

/** A whole number from 0, on a slider that shows its value. */
function RangeField({
  label,
  unit,
  maximum,
  value,
  onChange,
}: {
  label: string;
  unit: string;
  maximum: number;
  value: number;
  onChange: (value: number) => void;
}) {
  const id = useId();
  const spoken = `${value} ${unit}`;
  return (
    <div>
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="font-semibold text-body">
          {label}
        </label>
        <output htmlFor={id} className="font-semibold tabular-nums">
          {spoken}
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={0}
        max={maximum}
        value={value}
        aria-valuetext={spoken}
        onChange={(event) => onChange(event.target.valueAsNumber)}
        // Enter on a slider would save the form.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        className="block h-11 w-full cursor-pointer accent-leaf"
      />
    </div>
  );
}

/** In CSS pixels, on any screen. */
const widest = 640;

/** A preview of a visitor's screen over the background. */
function BackgroundPreview({ settings }: { settings: BackgroundLook }) {
  return (
    <figure className="flex flex-col gap-1.5">
      <figcaption className="font-semibold text-body">Aperçu</figcaption>
      <div className="relative isolate min-h-72 flex-1 overflow-hidden rounded-card border border-line bg-ground">
        <BackgroundPicture settings={settings} side={widest} className="absolute" />
        <p className="cloth px-4 pt-4 font-bold font-display text-display leading-tight">Bonjour Awa</p>
        <div className={settings.backgroundImage ? 'plate mx-auto max-w-md px-4 py-5' : 'mx-auto max-w-md px-4 py-5'}>
          <Card className="font-semibold">Télécom et mobile</Card>
        </div>
      </div>
    </figure>
  );
}

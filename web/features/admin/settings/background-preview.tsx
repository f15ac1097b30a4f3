import type { BackgroundLook } from '#contract/page-background.ts';
import BackgroundPicture from '#web/shell/background-picture.tsx';
import { Card } from '#web/ui/card.tsx';

/** In CSS pixels, on any screen. */
const widest = 640;

/** A preview of a visitor's screen over the background. */
export function BackgroundPreview({ settings }: { settings: BackgroundLook }) {
  return (
    <figure className="flex flex-col gap-2">
      <figcaption className="font-semibold text-sm">Aperçu</figcaption>
      <div className="relative isolate min-h-72 flex-1 overflow-hidden rounded-card border border-line bg-ground">
        <BackgroundPicture settings={settings} side={widest} className="absolute" />
        <div className="woven" />
        <div className={settings.backgroundImage ? 'plate mx-auto max-w-md px-4 py-5' : 'mx-auto max-w-md px-4 py-5'}>
          <p className="font-bold text-2xl leading-tight">Bonjour Awa</p>
          <p className="mt-1 mb-4 text-soft">Que souhaitez-vous faire aujourd’hui ?</p>
          <Card className="flex items-center gap-3">
            <span aria-hidden="true" className="text-3xl">
              📱
            </span>
            <div className="wrap-anywhere min-w-0">
              <p className="font-semibold">Télécom et mobile</p>
              <p className="text-soft text-sm">Recharges et forfaits internet</p>
            </div>
          </Card>
        </div>
      </div>
    </figure>
  );
}

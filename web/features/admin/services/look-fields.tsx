import { defaultTextColor } from '#contract/catalogue.ts';
import { ServiceCard, ServiceRow } from '#web/catalogue/service-card.tsx';
import { ChoiceField } from '#web/features/admin/shared/fields.tsx';
import { ImageField, useSource } from '#web/features/admin/shared/image-field.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { inputClass, Labelled } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import type { ServiceDraft, ServicePart } from './service-draft.ts';

const sizes: Record<ServiceDraft['textSize'], string> = {
  small: 'Petit (12 px)',
  medium: 'Moyen (14 px)',
  large: 'Grand (16 px)',
};
const styles: Record<ServiceDraft['textStyle'], string> = {
  normal: 'Normal',
  bold: 'Gras',
  italic: 'Italique',
  'bold italic': 'Gras italique',
};
const decimal = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });

const isColor = (text: string) => /^#[0-9A-Fa-f]{6}$/.test(text);

export function LookFields({ draft, errors, change }: ServicePart) {
  return (
    <>
      <ImageField label="Image" image={draft.image} onChange={(image) => change({ image })} />
      <div className="grid items-start gap-4 @sm:grid-cols-2">
        <ChoiceField
          label="Taille du texte"
          options={sizes}
          value={draft.textSize}
          error={errors.textSize}
          onChoose={(textSize) => change({ textSize })}
        />
        <ChoiceField
          label="Style du texte"
          options={styles}
          value={draft.textStyle}
          error={errors.textStyle}
          onChoose={(textStyle) => change({ textStyle })}
        />
      </div>
      <ColorField color={draft.textColor} error={errors.textColor} onChange={(textColor) => change({ textColor })} />
      <Preview draft={draft} />
    </>
  );
}

function ColorField({
  color,
  error,
  onChange,
}: {
  color: string;
  error: string | undefined;
  onChange: (color: string) => void;
}) {
  const contrast = isColor(color) ? contrastWithWhite(color) : readableContrast;
  const hint =
    contrast < readableContrast ? (
      <span className="text-amber">{`Ce texte se lira mal sur une carte blanche : contraste de ${decimal.format(contrast)}, au lieu de ${decimal.format(readableContrast)} au moins.`}</span>
    ) : undefined;
  return (
    <Labelled label="Couleur du texte" error={error} hint={hint}>
      {(control) => (
        <div className="flex gap-2">
          <input
            type="color"
            aria-label="Choisir la couleur du texte"
            value={isColor(color) ? color.toLowerCase() : defaultTextColor.toLowerCase()}
            onChange={({ target }) => onChange(target.value.toUpperCase())}
            className="h-12 w-16 shrink-0 cursor-pointer rounded-xl border border-edge bg-card p-1"
          />
          <input
            {...control}
            spellCheck={false}
            autoComplete="off"
            maxLength={7}
            value={color}
            onChange={({ target }) => onChange(target.value)}
            className={join(inputClass, 'font-mono')}
          />
        </div>
      )}
    </Labelled>
  );
}

/** The visitors' card itself, without its action. */
function Preview({ draft }: { draft: ServiceDraft }) {
  const source = useSource(draft.image);
  const service = {
    name: draft.name.trim() || 'Nom du service',
    description: draft.description.trim(),
    price: draft.price.trim() || null,
    pictureUrl: source ?? null,
    isFinalLevel: draft.isFinalLevel,
    textSize: draft.textSize,
    textColor: isColor(draft.textColor) ? draft.textColor : defaultTextColor,
    textStyle: draft.textStyle,
  };
  const isRoot = draft.parentId === null;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-semibold text-sm">Aperçu</p>
      <div inert className={join('flex rounded-xl bg-ground p-3', isRoot && 'justify-center')}>
        <div className={join('flex', isRoot ? 'w-44' : join(cardClass, 'w-full overflow-hidden'))}>
          {isRoot ? (
            <ServiceCard service={service} onSelect={() => {}} />
          ) : (
            <ServiceRow service={service} onSelect={() => {}} />
          )}
        </div>
      </div>
    </div>
  );
}

/** The minimum contrast of small text: WCAG 2.2, criterion 1.4.3. */
export const readableContrast = 4.5;

/**
 * The contrast ratio of a colour such as '#1E293B' with white, from 1 to 21, by
 * https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio.
 */
export function contrastWithWhite(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

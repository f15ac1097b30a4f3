import { defaultTextColor, textSizes, textStyles } from '#contract/catalogue.ts';
import { ServiceCard, ServiceRow } from '#web/catalogue/service-card.tsx';
import { ImageField, useSource } from '#web/features/admin/shared/image-field.tsx';
import { cardClass } from '#web/ui/card.tsx';
import { inputClass, Labelled, SelectField } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { contrastWithWhite, readableContrast } from './contrast.ts';
import type { FormPart } from './form-parts.ts';
import type { ServiceDraft } from './service-draft.ts';

const sizes: Record<(typeof textSizes)[number], string> = {
  small: 'Petit (12 px)',
  medium: 'Moyen (14 px)',
  large: 'Grand (16 px)',
};
const styles: Record<(typeof textStyles)[number], string> = {
  normal: 'Normal',
  bold: 'Gras',
  italic: 'Italique',
  'bold italic': 'Gras italique',
};
const decimal = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });

const isColor = (text: string) => /^#[0-9A-Fa-f]{6}$/.test(text);

/** The appearance of a service. */
export function LookFields({ draft, errors, change }: FormPart) {
  return (
    <>
      <ImageField label="Image" image={draft.image} onChange={(image) => change({ image })} />
      <div className="grid items-start gap-4 @sm:grid-cols-2">
        <SelectField
          label="Taille du texte"
          value={draft.textSize}
          error={errors.textSize}
          onChange={({ target }) => change({ textSize: textSizes.find((each) => each === target.value) ?? 'medium' })}
        >
          {textSizes.map((size) => (
            <option key={size} value={size}>
              {sizes[size]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label="Style du texte"
          value={draft.textStyle}
          error={errors.textStyle}
          onChange={({ target }) => change({ textStyle: textStyles.find((each) => each === target.value) ?? 'normal' })}
        >
          {textStyles.map((style) => (
            <option key={style} value={style}>
              {styles[style]}
            </option>
          ))}
        </SelectField>
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
      <span className="text-amber">
        Ce texte se lira mal sur une carte blanche : contraste de {decimal.format(contrast)}, au lieu de{' '}
        {decimal.format(readableContrast)} au moins.
      </span>
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
        <div className={join('flex', isRoot ? 'w-44' : join(cardClass, 'w-full'))}>
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

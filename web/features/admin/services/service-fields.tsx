import { type AdminService, defaultTextColor } from '#contract/catalogue.ts';
import { dialTemplateProblem, fillDialTemplate } from '#contract/dial-code.ts';
import { defaultCountryCode, findCountry, nationalDigits } from '#contract/phone.ts';
import { listedAmount, priceOf } from '#contract/pricing.ts';
import { ServiceCard, ServiceRow } from '#web/catalogue/service-card.tsx';
import type { draftFields } from '#web/features/admin/shared/draft.tsx';
import { CheckField, ChoiceField, TextArea } from '#web/features/admin/shared/fields.tsx';
import { ImageField, useSource } from '#web/features/admin/shared/image-field.tsx';
import type { FieldErrors } from '#web/forms/read-form.ts';
import { formatAmount, formatCounted, formatDate } from '#web/text/formats.ts';
import { cardClass } from '#web/ui/card.tsx';
import { Field, Labelled } from '#web/ui/field.tsx';
import { join } from '#web/ui/join.ts';
import { SelectField } from '#web/ui/select-field.tsx';
import { ruleOf, type ServiceDraft } from './service-draft.ts';
import { parentChoices, pathOf, type ServiceTree } from './service-tree.ts';

/** Props of each part of the form. */
export interface ServicePart extends ReturnType<typeof draftFields<ServiceDraft>> {
  draft: ServiceDraft;
  errors: FieldErrors;
  change: (part: Partial<ServiceDraft>) => void;
  tree: ServiceTree;
  /** Undefined for a new one. */
  service: AdminService | undefined;
}

export function IdentityFields({ draft, errors, change, text, check, tree, service }: ServicePart) {
  const children = service ? tree.childrenOf(service.id).length : 0;
  return (
    <>
      <Field label="Nom du service *" required maxLength={120} {...text('name')} />
      <ParentField
        tree={tree}
        id={service?.id}
        parentId={draft.parentId}
        error={errors.parentId}
        onChange={(parentId) => change({ parentId })}
      />
      <div className="grid gap-x-4 @sm:grid-cols-2">
        <CheckField
          label="Service final"
          hint={
            children > 0
              ? `Impossible\u00a0: il contient ${formatCounted(children, 'service')}.`
              : 'Se commande, et ne contient rien.'
          }
          disabled={children > 0 && !draft.isFinalLevel}
          {...check('isFinalLevel')}
        />
        <CheckField label="Visible" hint="Masqué, il cache aussi ce qu'il contient." {...check('isVisible')} />
      </div>
    </>
  );
}

export function PriceFields({ text, check }: ServicePart) {
  return (
    <>
      <Field
        label="Prix"
        maxLength={80}
        placeholder="À partir de 500 FCFA"
        hint="Vide&nbsp;: celui du service parent."
        {...text('price')}
      />
      <CheckField
        label="Prix personnalisé"
        hint="La personne saisit elle-même la somme."
        {...check('allowUserPriceInput')}
      />
    </>
  );
}

/** The parent of a service, or none for a root. It determines the level. */
export function ParentField({
  tree,
  id,
  parentId,
  error,
  onChange,
}: {
  tree: ServiceTree;
  /** The service to move; undefined for a new one. */
  id: number | undefined;
  parentId: number | null;
  error?: string | undefined;
  onChange: (parentId: number | null) => void;
}) {
  const choices = parentChoices(tree, id);
  const path = pathOf(tree, parentId);
  const isLost = parentId !== null && !choices.some((each) => each.id === parentId);
  return (
    <SelectField
      label="Service parent"
      className="text-ellipsis"
      value={parentId ?? ''}
      error={error}
      hint={`Niveau ${path.length + 1}${path.length > 0 ? ` : ${path.map(({ name }) => name).join(' → ')}` : ''}`}
      onChange={({ target: { value } }) => onChange(value === '' ? null : Number(value))}
    >
      <option value="">Aucun</option>
      {choices.map(({ id: choice, name, level }) => (
        <option key={choice} value={choice}>
          {'\u2003'.repeat(level - 1) + name}
        </option>
      ))}
      {isLost && <option value={parentId}>{path.at(-1)?.name ?? `Service n°\u00a0${parentId}`}</option>}
    </SelectField>
  );
}

/** For an example without a listed price, in francs. */
const sampleAmount = 1000;
const sampleNumber = findCountry(defaultCountryCode)?.example ?? '';

/** The number to call or the code to dial, with an example. */
export function CodeFields({ draft, errors, text, tree, service }: ServicePart) {
  const template = draft.phoneNumber.trim();
  const problem = template ? dialTemplateProblem(template) : undefined;
  const listed = listedAmount([...pathOf(tree, draft.parentId), { price: draft.price }]) || sampleAmount;
  const { total, commission } = priceOf(listed, ruleOf(draft));
  return (
    <div className="flex flex-col gap-2">
      <Field
        label="Code à composer"
        labelHidden
        className="font-mono"
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        maxLength={80}
        placeholder="*144*10*XX#"
        {...text('phoneNumber')}
        error={problem ?? errors.phoneNumber}
        hint={
          <span>
            Un numéro, ou un code. Se remplissent seuls&nbsp;: <code>XX</code> ou <code>{'{montant}'}</code>, le
            total&nbsp;; <code>{'{marchand}'}</code>, votre numéro marchand dans Paiements, Comptes&nbsp;;{' '}
            <code>{'{beneficiaire}'}</code>, son numéro sans indicatif&nbsp;; <code>{'{service}'}</code>, le numéro du
            service.
          </span>
        }
      />
      {template && !problem && (
        <p role="status" className="rounded-xl bg-ground p-3 text-body">
          <span>{`Pour ${formatAmount(total)}`}</span>
          {commission > 0 && <span>{`, dont ${formatAmount(commission)} de commission`}</span>}
          <span>&nbsp;: </span>
          <strong className="break-all font-mono">
            {fillDialTemplate(template, {
              total,
              beneficiary: nationalDigits(defaultCountryCode + sampleNumber.replace(/\s/g, '')),
              serviceId: service?.id ?? 1,
              // It depends on the wallet and the country of who pays.
              merchant: '{marchand}',
            })}
          </strong>
        </p>
      )}
    </div>
  );
}

const sizes: Record<string, string> = {
  small: 'Petit (12 px)',
  medium: 'Moyen (14 px)',
  large: 'Grand (16 px)',
};
const styles: Record<string, string> = {
  normal: 'Normal',
  bold: 'Gras',
  italic: 'Italique',
  'bold italic': 'Gras italique',
};

export function LookFields({ draft, errors, change, text }: ServicePart) {
  return (
    <>
      <TextArea label="Description" rows={2} maxLength={2000} {...text('description')} />
      <ImageField label="Image" image={draft.image} onChange={(image) => change({ image })} />
      <div className="grid items-start gap-4 @sm:grid-cols-[1fr_1fr_auto]">
        <ChoiceField label="Taille du texte" options={sizes} {...text('textSize')} />
        <ChoiceField label="Style du texte" options={styles} {...text('textStyle')} />
        <Labelled label="Couleur du texte" error={errors.textColor}>
          {(control) => (
            <input
              {...control}
              type="color"
              value={draft.textColor.toLowerCase()}
              onChange={({ target }) => change({ textColor: target.value.toUpperCase() })}
              className="block h-12 w-full min-w-16 cursor-pointer rounded-xl border border-edge bg-card p-1"
            />
          )}
        </Labelled>
      </div>
      <Preview draft={draft} />
    </>
  );
}

/** The visitors' card itself, without its action. */
function Preview({ draft }: { draft: ServiceDraft }) {
  const service = {
    name: draft.name.trim() || 'Nom du service',
    description: draft.description.trim(),
    price: draft.price.trim() || null,
    pictureUrl: useSource(draft.image) ?? null,
    isFinalLevel: draft.isFinalLevel,
    textSize: draft.textSize,
    textColor: draft.textColor || defaultTextColor,
    textStyle: draft.textStyle,
  };
  const isRoot = draft.parentId === null;
  const Card = isRoot ? ServiceCard : ServiceRow;
  return (
    <div className="flex flex-col gap-1.5">
      <p className="font-semibold text-body">Aperçu</p>
      <div inert className={join('flex rounded-xl bg-ground p-3', isRoot && 'justify-center')}>
        <div className={join('flex', isRoot ? 'w-44' : join(cardClass, 'w-full overflow-hidden'))}>
          <Card service={service} onSelect={() => {}} />
        </div>
      </div>
    </div>
  );
}

export function TeamFields({ text, service }: ServicePart) {
  return (
    <>
      <TextArea
        label="Note interne"
        hint="Visible ici seulement."
        rows={2}
        maxLength={2000}
        {...text('operatorNote')}
      />
      {service && (
        <p className="text-soft text-small">{`Service n°\u00a0${service.id}, créé le ${formatDate(service.createdAt)}, modifié le ${formatDate(service.updatedAt)}.`}</p>
      )}
    </>
  );
}

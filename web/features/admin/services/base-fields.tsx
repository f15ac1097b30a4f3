import { CheckField, TextArea } from '#web/features/admin/shared/fields.tsx';
import { Field } from '#web/ui/field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import type { ServicePart } from './service-draft.ts';
import { parentChoices, pathOf, type ServiceTree } from './service-tree.ts';

export function BaseFields({ draft, errors, change, text, check, tree, id }: ServicePart) {
  const children = id === undefined ? 0 : tree.childrenOf(id).length;
  return (
    <>
      <Field label="Nom du service *" required maxLength={120} {...text('name')} />
      <TextArea label="Description" rows={2} maxLength={2000} {...text('description')} />
      <div className="grid items-start gap-4 @sm:grid-cols-2">
        <Field
          label="Prix"
          maxLength={80}
          placeholder="À partir de 500 FCFA"
          hint="Vide : celui du service parent."
          {...text('price')}
        />
        <ParentField
          tree={tree}
          id={id}
          parentId={draft.parentId}
          error={errors.parentId}
          onChange={(parentId) => change({ parentId })}
        />
      </div>
      <div className="grid gap-x-4 @sm:grid-cols-2">
        <CheckField
          label="Service final"
          hint={
            children > 0
              ? `Impossible : il contient ${children} service${children > 1 ? 's' : ''}.`
              : 'Se commande, et ne contient rien.'
          }
          disabled={children > 0 && !draft.isFinalLevel}
          {...check('isFinalLevel')}
        />
        <CheckField label="Visible" hint="Masqué, il cache aussi ce qu'il contient." {...check('isVisible')} />
        <CheckField
          label="Prix personnalisé"
          hint="La personne saisit elle-même la somme."
          {...check('allowUserPriceInput')}
        />
      </div>
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
      {isLost && <option value={parentId}>{path.at(-1)?.name ?? `Service n° ${parentId}`}</option>}
    </SelectField>
  );
}

import { CheckField } from '#web/features/admin/shared/check-field.tsx';
import { Field, inputClass, Labelled } from '#web/ui/field.tsx';
import type { FormPart } from './form-parts.ts';
import { ParentField } from './parent-field.tsx';
import type { ServiceTree } from './service-tree.ts';

/** The name, description and place of a service. */
export function BaseFields({
  draft,
  errors,
  change,
  tree,
  id,
}: FormPart & { tree: ServiceTree; id: number | undefined }) {
  const children = id === undefined ? 0 : tree.childrenOf(id).length;
  return (
    <>
      <Field
        label="Nom du service *"
        required
        maxLength={120}
        value={draft.name}
        error={errors.name}
        onChange={({ target }) => change({ name: target.value })}
      />
      <Labelled label="Description" error={errors.description}>
        {(control) => (
          <textarea
            {...control}
            rows={2}
            maxLength={2000}
            value={draft.description}
            onChange={({ target }) => change({ description: target.value })}
            className={inputClass}
          />
        )}
      </Labelled>
      <div className="grid items-start gap-4 @lg:grid-cols-2">
        <Field
          label="Prix"
          maxLength={80}
          placeholder="À partir de 500 FCFA"
          hint="Vide : celui du service parent."
          value={draft.price}
          error={errors.price}
          onChange={({ target }) => change({ price: target.value })}
        />
        <ParentField
          tree={tree}
          id={id}
          parentId={draft.parentId}
          error={errors.parentId}
          onChange={(parentId) => change({ parentId })}
        />
      </div>
      <div className="grid gap-x-4 @lg:grid-cols-2">
        <CheckField
          label="Service final"
          hint={
            children > 0
              ? `Impossible : il contient ${children} service${children > 1 ? 's' : ''}.`
              : 'Se commande, et ne contient rien.'
          }
          disabled={children > 0 && !draft.isFinalLevel}
          error={errors.isFinalLevel}
          checked={draft.isFinalLevel}
          onChange={({ target }) => change({ isFinalLevel: target.checked })}
        />
        <CheckField
          label="Visible"
          hint="Masqué, il cache aussi ce qu’il contient."
          error={errors.isVisible}
          checked={draft.isVisible}
          onChange={({ target }) => change({ isVisible: target.checked })}
        />
        <CheckField
          label="Prix personnalisé"
          hint="La personne saisit elle-même la somme."
          error={errors.allowUserPriceInput}
          checked={draft.allowUserPriceInput}
          onChange={({ target }) => change({ allowUserPriceInput: target.checked })}
        />
      </div>
    </>
  );
}

import { SelectField } from '#web/ui/field.tsx';
import { parentChoices, pathOf, type ServiceTree } from './service-tree.ts';

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
      value={parentId ?? ''}
      error={error}
      hint={`Niveau ${path.length + 1}${path.length > 0 ? ` : ${path.map(({ name }) => name).join(' → ')}` : ''}`}
      onChange={({ target: { value } }) => onChange(value === '' ? null : Number(value))}
    >
      <option value="">Aucun (premier niveau)</option>
      {choices.map(({ id: choice, name, level }) => (
        <option key={choice} value={choice}>
          {'\u2003'.repeat(level - 1) + name}
        </option>
      ))}
      {isLost && <option value={parentId}>{path.at(-1)?.name ?? `Service n° ${parentId}`}</option>}
    </SelectField>
  );
}

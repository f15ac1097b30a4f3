import type { ComponentProps } from 'react';
import { Button } from '#web/ui/button.tsx';

type Look = Pick<ComponentProps<typeof Button>, 'variant' | 'disabled' | 'busy' | 'onClick' | 'onKeyDown'> & {
  small?: boolean | undefined;
};

/** A button of a row or card; `of` names that for screen readers. */
export function RowButton({ of, name, small = false, ...button }: Look & { of: string; name: string }) {
  return (
    <Button
      tight
      small={small}
      className="flex-1 in-[li[data-row]]:min-h-12 in-[li[data-row]]:text-body"
      aria-label={`${name} ${of}`}
      {...button}
    >
      {name}
    </Button>
  );
}

export function EditButtons({
  onEdit,
  onDelete,
  ...row
}: {
  of: string;
  small?: boolean;
  onEdit: () => void;
  onDelete: () => void;
}) {
  return (
    <>
      <RowButton name="Modifier" variant="plain" onClick={onEdit} {...row} />
      <RowButton name="Supprimer" variant="plain" onClick={onDelete} {...row} />
    </>
  );
}

import { type ComponentProps, useRef } from 'react';
import { Button } from '#web/ui/button.tsx';

/** Opens the browser's choice of a file, in our words instead of its own; `label` names the field. */
export function FileButton({
  label,
  accept,
  onChoose,
  ...button
}: {
  label: string;
  accept: string;
  onChoose: (file: File) => void;
} & Omit<ComponentProps<typeof Button>, 'onClick'>) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-label={label}
        onChange={({ target }) => {
          const file = target.files?.[0];
          if (file) onChoose(file);
          // So that a corrected file of the same name can be chosen again.
          target.value = '';
        }}
      />
      <Button {...button} onClick={() => input.current?.click()} />
    </>
  );
}

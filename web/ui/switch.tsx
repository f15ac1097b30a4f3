import type { ComponentProps } from 'react';

/** A switch that applies at once. `label` is for screen readers: its visible name is beside it. */
export function Switch({ label, ...input }: { label: string } & Omit<ComponentProps<'input'>, 'type' | 'role'>) {
  return (
    // A touch target around the smaller drawing.
    <label className="flex size-12 shrink-0 items-center justify-center">
      <span className="sr-only">{label}</span>
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: the checkbox itself tells whether it is checked
        role="switch"
        className="relative h-6.5 w-11 cursor-pointer appearance-none rounded-full border-2 border-edge bg-card transition-colors before:absolute before:top-0.5 before:left-0.5 before:size-4.5 before:rounded-full before:bg-edge before:transition-transform checked:border-leaf checked:bg-leaf checked:before:transform-[translateX(1.125rem)] checked:before:bg-on-leaf forced-colors:appearance-auto"
        {...input}
      />
    </label>
  );
}

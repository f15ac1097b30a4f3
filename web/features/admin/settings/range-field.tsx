import { useId } from 'react';

/** A whole number from 0, on a slider that shows its value. */
export function RangeField({
  label,
  unit,
  maximum,
  value,
  onChange,
}: {
  label: string;
  unit: string;
  maximum: number;
  value: number;
  onChange: (value: number) => void;
}) {
  const id = useId();
  const spoken = `${value} ${unit}`;
  return (
    <div>
      <div className="flex items-baseline justify-between gap-4">
        <label htmlFor={id} className="font-semibold text-sm">
          {label}
        </label>
        <output htmlFor={id} className="font-semibold tabular-nums">
          {spoken}
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={0}
        max={maximum}
        value={value}
        aria-valuetext={spoken}
        onChange={(event) => onChange(event.target.valueAsNumber)}
        className="block h-11 w-full cursor-pointer accent-leaf"
      />
    </div>
  );
}

import { useEffect, useRef, useState } from 'react';
import { searchLength } from '#contract/shapes.ts';
import { useDebounced } from '#web/forms/use-debounced.ts';
import { Field } from '#web/ui/field.tsx';

/**
 * A search field. Typed words enter the address after a pause; an address changed elsewhere, as by a link, updates the
 * field.
 */
export function SearchWords({
  label,
  example = label,
  words,
  onChange,
}: {
  label: string;
  /** What may be typed, shown in the empty field. */
  example?: string;
  words: string;
  onChange: (words: string) => void;
}) {
  const [typed, setTyped] = useState(words);
  const settled = useDebounced(typed.trim());
  const sent = useRef(words);
  useEffect(() => {
    if (settled === sent.current) return;
    sent.current = settled;
    onChange(settled);
  }, [settled, onChange]);
  useEffect(() => {
    if (words === sent.current) return;
    sent.current = words;
    setTyped(words);
  }, [words]);
  return (
    <Field
      label={label}
      labelHidden
      type="search"
      placeholder={example}
      value={typed}
      maxLength={searchLength}
      onChange={(event) => setTyped(event.target.value)}
    />
  );
}

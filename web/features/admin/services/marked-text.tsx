import { markedParts } from './search-services.ts';

/** A text with the search words marked. */
export function MarkedText({ text, words }: { text: string; words: readonly string[] }) {
  if (words.length === 0) return text;
  return markedParts(text, words).map((part, index) =>
    part.isFound ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place alone
      <mark key={index} className="rounded-sm bg-amber-pale text-inherit ring-1 ring-amber/40">
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}

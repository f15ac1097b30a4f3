interface Block {
  kind: 'heading' | 'subheading' | 'text';
  lines: string[];
}

/** A text in blocks below a first-level title: headings, and paragraphs with their line breaks. */
export function ContentText({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) => (
    // A block has nothing else to be known by, and keeps nothing.
    // biome-ignore lint/suspicious/noArrayIndexKey: see above
    <DrawnBlock key={index} {...block} />
  ));
}

function DrawnBlock({ kind, lines }: Block) {
  if (kind === 'heading') return <h2 className="mt-5 mb-1.5 font-bold text-large first:mt-0">{lines[0]}</h2>;
  if (kind === 'subheading') return <h3 className="mt-3 mb-1 font-semibold">{lines[0]}</h3>;
  return <p className="mb-2 whitespace-pre-line">{lines.join('\n')}</p>;
}

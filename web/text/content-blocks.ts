export interface ContentBlock {
  kind: 'heading' | 'subheading' | 'text';
  lines: string[];
}

// Pasted text breaks its lines in any of Unicode's ways.
const lineBreak = /\r\n|[\n\r\v\f\u2028\u2029]/;
const headingLine = /^(###|##)(?:\s+(\S.*)|([^\s#].*))$/;

/** Splits a page's text into blocks: lines with '##' and '###' are headings, the others text with its line breaks. */
export function contentBlocks(content: string): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  for (const line of content.split(lineBreak)) {
    const [, marks, spaced, joined] = headingLine.exec(line) ?? [];
    const title = spaced ?? joined;
    const last = blocks.at(-1);
    if (title !== undefined) blocks.push({ kind: marks === '##' ? 'heading' : 'subheading', lines: [title] });
    else if (last?.kind === 'text') last.lines.push(line);
    else if (line.trim() !== '') blocks.push({ kind: 'text', lines: [line] });
  }
  for (const block of blocks) while (block.lines.length > 1 && block.lines.at(-1)?.trim() === '') block.lines.pop();
  return blocks;
}

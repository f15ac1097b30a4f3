export interface ContentBlock {
  kind: 'heading' | 'subheading' | 'text';
  lines: string[];
}

/**
 * Splits a page's text into blocks: '## ' and '### ' lines are headings, other lines text with its line breaks. There
 * is no other markup.
 */
export function contentBlocks(content: string): ContentBlock[] {
  const blocks: ContentBlock[] = [];
  for (const line of content.split(/\r?\n/)) {
    const [, marks, title] = /^(##|###)\s+(\S.*)$/.exec(line) ?? [];
    const last = blocks.at(-1);
    if (title !== undefined) blocks.push({ kind: marks === '##' ? 'heading' : 'subheading', lines: [title] });
    else if (last?.kind === 'text') last.lines.push(line);
    else if (line.trim() !== '') blocks.push({ kind: 'text', lines: [line] });
  }
  for (const block of blocks) while (block.lines.length > 1 && block.lines.at(-1)?.trim() === '') block.lines.pop();
  return blocks;
}

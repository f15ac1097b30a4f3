import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ContentBlock, contentBlocks } from './content-blocks.ts';

const heading = (title: string): ContentBlock => ({ kind: 'heading', lines: [title] });
const subheading = (title: string): ContentBlock => ({ kind: 'subheading', lines: [title] });
const text = (...lines: string[]): ContentBlock => ({ kind: 'text', lines });

test.each<[content: string, blocks: ContentBlock[]]>([
  ['', []],
  ['Bonjour', [text('Bonjour')]],
  ['## Titre', [heading('Titre')]],
  ['### Partie', [subheading('Partie')]],
  ['##   Titre ## suite', [heading('Titre ## suite')]],
  ['##Titre', [heading('Titre')]],
  ['## #1 des ventes', [heading('#1 des ventes')]],
  ['##1. Objet', [heading('1. Objet')]],
  ['a\rb\r\rc\r', [text('a', 'b', '', 'c')]],
  ['##A\r###B\rc', [heading('A'), subheading('B'), text('c')]],
  ['a\u2028## B\u2028c', [text('a'), heading('B'), text('c')]],
  ['a\vb\fc', [text('a', 'b', 'c')]],
  ['a\n  b ', [text('a', '  b ')]],
  ['a\n\nb', [text('a', '', 'b')]],
  ['\n\n  a\n \n\n', [text('  a')]],
  ['## A\n### B\r\n## C', [heading('A'), subheading('B'), heading('C')]],
])('%j', (content, blocks) => {
  expect(contentBlocks(content)).toEqual(blocks);
});

test.each([
  '# Titre',
  '#### Titre',
  '###',
  ' ## Titre',
  '##',
  '**gras** et _italique_',
  '- puce',
  '[lien](https://exemple.bf)',
  '<b>gras</b><script>alert(1)</script>',
])('%j is no markup: it is shown as it was written', (line) => {
  expect(contentBlocks(line)).toEqual([text(line)]);
});

describe('whatever an administrator writes', () => {
  const pieces = ['## ', '### ', '#', '####', ' ', '\t', '\n', '\n\n', '\r\n', '\r', '\u2028', 'a', 'é', '🎉', '<b>'];
  const content = fc.string({ unit: fc.oneof(fc.constantFrom(...pieces), fc.string()), maxLength: 40 });
  const marks = { heading: '## ', subheading: '### ', text: '' };
  const written = ({ kind, lines }: ContentBlock) => marks[kind] + lines.join('\n');
  const withoutBlanks = (given: string) => given.replace(/\s/g, '');

  test('no visible character is lost, made up or moved', () => {
    fc.assert(
      fc.property(content, (given) => {
        expect(withoutBlanks(contentBlocks(given).map(written).join('\n'))).toBe(withoutBlanks(given));
      }),
      { numRuns: 300 },
    );
  });

  test('a heading is one line, a text neither begins nor ends with an empty line, and two texts never touch', () => {
    fc.assert(
      fc.property(content, (given) => {
        const blocks = contentBlocks(given);
        for (const [index, { kind, lines }] of blocks.entries()) {
          if (kind !== 'text') expect(lines).toHaveLength(1);
          else expect([lines[0]?.trim(), lines.at(-1)?.trim()]).not.toContain('');
          if (kind === 'text') expect(blocks[index + 1]?.kind).not.toBe('text');
        }
      }),
      { numRuns: 300 },
    );
  });
});

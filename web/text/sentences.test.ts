import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ESTree, parseSync } from 'vite';
import { expect, test } from 'vitest';

const web = path.join(import.meta.dirname, '..');
const files = globSync('**/*.{ts,tsx}', { cwd: web }).filter((file) => !/^build|\.test\.ts$/.test(file));

const isNode = (value: unknown): value is ESTree.Node => typeof value === 'object' && value !== null && 'type' in value;

/** The texts in the source of a file, as it writes them. */
function textsOf(file: string): string[] {
  const code = readFileSync(path.join(web, file), 'utf8');
  const texts: string[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each);
    if (!isNode(node)) return;
    if (['JSXText', 'Literal', 'TemplateElement'].includes(node.type)) texts.push(code.slice(node.start, node.end));
    for (const each of Object.values(node)) visit(each);
  };
  visit(parseSync(file, code).program);
  return texts;
}

/** Sentences of the specification, to the letter, and one of the server's, which is looked for. */
const specified = /Mot de passe oublié \?|Affichage de | ticket\(s\) sur |^'\. Motif : '$/;
const found = (wrong: RegExp) =>
  files.flatMap((file) =>
    textsOf(file)
      .filter((text) => wrong.test(text) && !specified.test(text))
      .map((text) => `${file}: ${text}`),
  );

test.each([
  ['a space that breaks before a sign, or within quotes', /[\p{L}\d»)}'%] [:;?!](?:\s|["'`]?$)|« | »/u],
  ['a space that breaks after n°', /n° \$?/],
  ['a plural in brackets', /\p{Ll}\((?:s|x|e|es)\)/u],
  ['a second kind of apostrophe', /\p{L}’\p{L}/u],
])('no text of the web app has %s', (_, wrong) => {
  expect(found(wrong)).toEqual([]);
});
